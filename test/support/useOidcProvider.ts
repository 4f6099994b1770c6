import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'

/** A client of the provider, and the clock of the test. */
interface OidcProviderSetting {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** Unix milliseconds: the provider's clock stands still there. */
  readonly now: () => number
}

/**
 * Runs panva's oidc-provider for a test file, in a process of its own: in Jest's contexts it answers 500.
 * @returns its issuer
 */
export function useOidcProvider({ now, ...client }: OidcProviderSetting): () => string {
  let child: ChildProcess | undefined
  let issuer = ''
  beforeAll(async () => {
    const script = fileURLToPath(new URL('runOidcProvider.mjs', import.meta.url))
    const started = spawn(process.execPath, [script, JSON.stringify({ ...client, now: now() })], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child = started
    const [line] = await Promise.race([
      once(createInterface({ input: started.stdout }), 'line'),
      once(started, 'exit').then(([code]) => {
        throw new Error(`oidc-provider ended with ${code}`)
      }),
    ])
    issuer = String(line)
  })
  afterAll(() => void child?.kill())
  return () => issuer
}
