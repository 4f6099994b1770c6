import type { Clock } from '../../core/clock.ts'
import type { OpenIdClient } from '../ports.ts'
import type { ProviderSecretCipher, SignInProvider, SignInProviders } from './ports.ts'

export interface OperateProvidersDeps {
  readonly providers: SignInProviders
  readonly openId: Pick<OpenIdClient, 'discover'>
  readonly providerCipher: Pick<ProviderSecretCipher, 'encrypt'>
  readonly clock: Clock
}

/** What an operator does to a provider. `add` replaces a provider with the same id, for example to give it a new secret. */
export type ProviderOperation =
  | {
      readonly kind: 'add'
      readonly settings: Pick<SignInProvider, 'id' | 'name' | 'issuer' | 'clientId' | 'trustAcr'>
      readonly clientSecret: string
    }
  | { readonly kind: 'remove'; readonly id: string }

export type OperatedProvider =
  | { readonly kind: 'done'; readonly provider: Omit<SignInProvider, 'cipher'> }
  | { readonly kind: 'refused'; readonly why: string }

/** Each is a button on the sign-in pages. */
const MAX_PROVIDERS = 5

/**
 * Adds or removes a provider of the sign-in pages. A provider is added only if its metadata is found at an address that the service may ask. A
 * dry run checks the same and writes nothing.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function operateOnProvider(
  deps: OperateProvidersDeps,
  operation: ProviderOperation,
  { dryRun }: { dryRun: boolean },
): Promise<OperatedProvider> {
  if (operation.kind === 'remove') {
    const provider = await deps.providers.find(operation.id)
    if (provider === undefined) return { kind: 'refused', why: 'there is no such provider' }
    if (!dryRun) await deps.providers.remove(operation.id)
    return { kind: 'done', provider }
  }
  const { settings, clientSecret } = operation
  const others = (await deps.providers.list()).filter(({ id }) => id !== settings.id)
  if (others.length >= MAX_PROVIDERS)
    return { kind: 'refused', why: `there are ${MAX_PROVIDERS} providers; remove one first` }
  const found = await deps.openId.discover(settings.issuer)
  if (found.kind === 'refused') return { kind: 'refused', why: `the issuer’s metadata is not found: ${found.fault}` }
  const provider = { ...settings, createdAt: deps.clock.now() }
  if (!dryRun) {
    const cipher = await deps.providerCipher.encrypt('operator', clientSecret)
    await deps.providers.put({ ...provider, cipher })
  }
  return { kind: 'done', provider }
}
