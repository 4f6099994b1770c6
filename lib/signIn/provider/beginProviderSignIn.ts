import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { callbackUrl } from '../../core/providerUrls.ts'
import type { Logger } from '../../log/logger.ts'
import { digestSecret } from '../../oauth/secretDigest.ts'
import type { OpenIdClient } from '../ports.ts'
import type { ProviderSignIns, ReturnPage } from './ports.ts'
import { secretsOf } from './providerSecrets.ts'
import { type FindProviderDeps, findProvider } from './registeredProvider.ts'

/** From the sign-in page to the provider and back: time to find a password there, and to confirm the connection. */
export const PROVIDER_SIGN_IN_SECONDS = 15 * 60

export interface BeginProviderDeps extends FindProviderDeps {
  readonly openId: Pick<OpenIdClient, 'authorizationUrl'>
  readonly providerSignIns: Pick<ProviderSignIns, 'begin'>
  /** Of this service. */
  readonly issuer: string
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
}

/** Why a sign-in at a provider failed, as a page says it. */
export type ProviderProblem =
  | 'unknown_provider'
  | 'unreachable'
  | 'expired'
  | 'denied'
  | 'answer_refused'
  | 'account_off'
  | 'already_connected'
  /** The provider of a company, for a person without a verified address of its domains. */
  | 'foreign_address'

/** `provider`: its name. `returnTo`: where to sign in by another way. */
export interface FailedProviderSignIn {
  readonly step: 'failed'
  readonly problem: ProviderProblem
  readonly provider?: string | undefined
  readonly returnTo?: ReturnPage | undefined
}

/**
 * Sends a browser to a provider. The answer is accepted from this browser alone, once, for 15 minutes.
 * @returns `secret`: for the browser's cookie
 * @throws CommonError `service_unavailable`
 */
export async function beginProviderSignIn(
  deps: BeginProviderDeps,
  {
    providerId,
    returnTo,
    loginHint,
  }: { readonly providerId: string; readonly returnTo: ReturnPage; readonly loginHint?: string | undefined },
): Promise<{ readonly step: 'go'; readonly url: string; readonly secret: string } | FailedProviderSignIn> {
  const provider = await findProvider(deps, providerId)
  if (provider === undefined) return { step: 'failed', problem: 'unknown_provider', returnTo }
  const secret = deps.ids.secret()
  const isFresh = asksForFreshSignIn(returnTo)
  const request = { ...secretsOf(secret), redirectUri: callbackUrl(deps.issuer), isFresh, loginHint }
  const asked = await deps.openId.authorizationUrl(provider, request)
  if (asked.kind === 'unreachable') {
    deps.logger.warn('Sign-in provider not reached', { provider: provider.id, reason: asked.fault })
    return { step: 'failed', problem: 'unreachable', provider: provider.name, returnTo }
  }
  const validUntil = deps.clock.now() + PROVIDER_SIGN_IN_SECONDS * 1000
  await deps.providerSignIns.begin(digestSecret(secret), { providerId: provider.id, returnTo, isFresh, validUntil })
  return { step: 'go', url: asked.url, secret }
}

/** Whether the page needs a recent sign-in: a session that the provider has had for long would not do. */
function asksForFreshSignIn({ page, query }: ReturnPage): boolean {
  if (page !== 'authorize') return true
  const request = new URLSearchParams(query)
  return request.has('max_age') || (request.get('prompt') ?? '').split(' ').includes('login')
}
