import type { Arrival, SignOn } from '../../core/authentication.ts'
import { digestSecret } from '../../oauth/secretDigest.ts'
import type { ProviderIdentity, ProviderLogout } from '../ports.ts'
import type { CompanyProvider, RegisteredProvider } from './ports.ts'
import { companyOf } from './registeredProvider.ts'

/** By whose single sign-on a person comes, and in which session at the provider. Of an operator's provider nothing is kept: none signs out here. */
export function signOnBy(
  provider: Pick<RegisteredProvider, 'owner' | 'issuer'>,
  { sessionId }: Pick<ProviderIdentity, 'sessionId'>,
): SignOn {
  const sso = companyOf(provider)
  if (sso === undefined) return {}
  // The digest of text by others has a length of ours. Another company's provider may name a session alike.
  return { sso, ssoSession: sessionId && digestSecret(`${sso}\n${provider.issuer}\n${sessionId}`) }
}

/** A person who comes from a provider now; undefined from an operator's, whose logouts do not count here. */
export function arrivalBy(
  provider: Pick<RegisteredProvider, 'owner' | 'issuer'>,
  { subject, sessionId }: Pick<ProviderIdentity, 'subject' | 'sessionId'>,
  at: number,
): Arrival | undefined {
  const { sso, ssoSession } = signOnBy(provider, { sessionId })
  if (sso === undefined) return undefined
  const name = (what: Ended) => logoutOf({ owner: sso, issuer: provider.issuer }, subject, what)
  return { at, logouts: [name('everything'), ssoSession ?? name('without a session')] }
}

/** The names under which a logout is noted: what began at a provider that named no session may be of the one that ends. */
export function logoutsBy(
  provider: Pick<CompanyProvider, 'owner' | 'issuer'>,
  { subject, sessionId }: Pick<ProviderLogout, 'subject' | 'sessionId'>,
): string[] {
  const { ssoSession } = signOnBy(provider, { sessionId })
  const what = ssoSession === undefined ? 'everything' : 'without a session'
  return [ssoSession ?? [], subject === undefined ? [] : logoutOf(provider, subject, what)].flat()
}

type Ended = 'everything' | 'without a session'

function logoutOf({ owner, issuer }: Pick<CompanyProvider, 'owner' | 'issuer'>, subject: string, what: Ended): string {
  return digestSecret(`${what}\n${owner}\n${issuer}\n${subject}`)
}
