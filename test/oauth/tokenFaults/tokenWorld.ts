import { createHash } from 'node:crypto'
import { handleTokenRequest } from '../../../lib/oauth/token/handleTokenRequest.ts'
import type { TokenDeps, TokenRequest } from '../../../lib/oauth/token/tokenRequest.ts'
import { type Choose, createGate, type Enter } from '../../proof/world/orders/gate.ts'
import { createRandom, createSeededIds, createVirtualClock, type VirtualClock } from '../../proof/world/worldTime.ts'
import { gatedOauthPorts, gatedSigner } from './gatedOauthPorts.ts'
import { injectTokenFaults, type TokenFault } from './injectTokenFaults.ts'
import { createInMemoryOauthStores, type InMemoryOauthStores, type StoredTokens } from './inMemoryOauthStores.ts'
import { brokenTokenRules, type Exchange } from './tokenRules.ts'

/** A prepared world, to begin from as often as wanted. */
export interface TokenBeginning {
  stored: StoredTokens
  now: number
}

/** The real code of the token endpoint between stores in memory and a signer in this process. */
export interface TokenWorld {
  readonly clock: VirtualClock
  readonly stores: InMemoryOauthStores
  /** The same dependencies without gate and faults, to prepare the world with. */
  readonly deps: TokenDeps
  /** Every call of a port, with what happened to it. */
  readonly trace: string[]
  /** Names of the calls that reached the gate, in order. */
  readonly awaits: string[]
  /** Rules of the stores that were broken, each once. */
  readonly violations: string[]
  /** Every request so far, a rival's in the middle of it included, in the order in which they ended. */
  readonly exchanges: Exchange[]
  /** Every access token that was signed. */
  readonly signed: ReadonlySet<string>
  run(request: TokenRequest): Promise<Exchange['ending']>
  /** Sends requests side by side; `choose` decides every turn. */
  runTogether(requests: readonly TokenRequest[], choose?: Choose): Promise<void>
  begin(): TokenBeginning
}

/** Opens a world; the same seed, beginning and faults give the same trace. @param start Unix milliseconds */
export function createTokenWorld(
  seed: number,
  { faults, rival }: { faults: readonly TokenFault[]; rival?: TokenRequest } = { faults: [] },
  beginning: TokenBeginning | undefined = undefined,
): TokenWorld {
  const started = beginning?.now ?? Date.UTC(2026, 10, 21, 12)
  const clock = createVirtualClock(started)
  const ids = createSeededIds(createRandom(seed))
  const stores = createInMemoryOauthStores()
  if (beginning) stores.load(beginning.stored)
  const trace: string[] = []
  const awaits: string[] = []
  const violations: string[] = []
  const exchanges: Exchange[] = []
  const signed = new Set<string>()
  const injected = [...faults]
  let invocations = 0

  const gate = createGate(
    injectTokenFaults(injected, {
      clock,
      seen({ name }, fault) {
        awaits.push(name)
        trace.push(`+${((clock.now() - started) / 1000).toFixed(2)} s ${name}${fault ? `: ${fault}` : ''}`)
      },
      done() {
        for (const rule of brokenTokenRules(stores.save())) if (!violations.includes(rule)) violations.push(rule)
      },
      async overtake(crashAfter) {
        if (!rival) return
        if (crashAfter) injected.push({ at: `${invocations}/${crashAfter}#1`, kind: 'crash after' })
        await run(rival)
      },
    }),
  )

  const signatureOf = (signingInput: string) => {
    const signature = createHash('sha256').update(signingInput).digest('base64url')
    signed.add(`${signingInput}.${signature}`)
    return signature
  }
  const depsOf = (enter: Enter): TokenDeps => ({
    ...gatedOauthPorts(stores, enter),
    apiClients: { noteUse: async () => {} },
    signer: gatedSigner(signatureOf, enter),
    ids,
    clock,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    issuer: 'https://auth.console.example.com',
    audience: 'https://api.console.example.com',
  })

  async function runTogether(requests: readonly TokenRequest[], choose?: Choose): Promise<void> {
    invocations += requests.length
    const endings = await gate.run(
      requests.map((request) => (enter: Enter) => handleTokenRequest(depsOf(enter), request)),
      choose,
    )
    for (const [index, request] of requests.entries()) {
      const ending = endings[index] ?? { kind: 'crashed' }
      trace.push(`    ${ending.kind === 'failed' ? String(ending.error) : ending.kind}`)
      exchanges.push({ request, ending })
    }
  }

  async function run(request: TokenRequest): Promise<Exchange['ending']> {
    await runTogether([request])
    return exchanges.at(-1)?.ending ?? { kind: 'crashed' }
  }

  return {
    clock,
    stores,
    deps: depsOf((_method, effect) => effect()),
    trace,
    awaits,
    violations,
    exchanges,
    signed,
    run,
    runTogether,
    begin: () => ({ stored: stores.save(), now: clock.now() }),
  }
}
