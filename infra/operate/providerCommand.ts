import { readFileSync } from 'node:fs'
import { toRfc3339 } from '../../lib/core/clock.ts'
import type { ProviderOperation } from '../../lib/signIn/provider/operateOnProvider.ts'
import type { SignInProvider } from '../../lib/signIn/provider/ports.ts'
import { type CommandOptions, type Run, refused } from './command.ts'

const usage =
  'providers list | add ID --name NAME --issuer URL --client-id ID --client-secret-file FILE [--trust-acr] | remove ID'

/** `providers list`, `add ID`, `remove ID`: OpenID providers that the sign-in pages offer. */
export const providers: Run = async ([verb = '', id], options) => {
  const { dryRun, connect } = options
  const operation = verb === 'list' ? undefined : operationOf(verb, id, options)
  if (verb === 'list' && id !== undefined) throw new Error(usage)
  await connect()
  const { operateProvidersDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await operateProvidersDepsFromEnvironment()
  if (operation === undefined) {
    const all = await deps.providers.list()
    for (const provider of all) print(provider)
    console.log(`providers: ${all.length}`)
    return 0
  }
  const { operateOnProvider } = await import('../../lib/signIn/provider/operateOnProvider.ts')
  const outcome = await operateOnProvider(deps, operation, { dryRun })
  if (outcome.kind === 'refused') return refused('providers', outcome.why)
  print(outcome.provider)
  const done = operation.kind === 'add' ? 'added' : 'removed'
  console.log(`providers: ${dryRun ? 'would be' : 'was'} ${done}`)
  return 0
}

function operationOf(verb: string, id: string | undefined, { provider }: CommandOptions): ProviderOperation {
  if (id === undefined || (verb !== 'add' && verb !== 'remove')) throw new Error(usage)
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(id)) throw new Error('ID has lower-case letters, digits and hyphens')
  if (verb === 'remove') return { kind: verb, id }
  const { name, issuer, clientId, secretFile, trustAcr } = provider
  if (!name || !issuer || !clientId || !secretFile) throw new Error(usage)
  if (name.length > 40) throw new Error('--name has at most 40 characters')
  const clientSecret = readFileSync(secretFile, 'utf8').trim()
  if (clientSecret === '') throw new Error('The file of the client secret is empty')
  return { kind: verb, settings: { id, name, issuer, clientId, trustAcr }, clientSecret }
}

function print({ id, name, issuer, clientId, trustAcr, createdAt }: Omit<SignInProvider, 'cipher'>): void {
  const factors = trustAcr ? 'its two factors count' : 'counts as one factor'
  console.log(`${id}  ${name}  ${issuer}  ${clientId}  ${factors}  since ${toRfc3339(createdAt)}`)
}
