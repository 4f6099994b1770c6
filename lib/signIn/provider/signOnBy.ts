import type { Arrival, SignOn } from '../../core/authentication.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { digestSecret } from '../../oauth/secretDigest.ts'
import type { ProviderIdentity } from '../ports.ts'
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

/** A person at a provider, and the session there as `signOnBy` names it. */
interface AtProvider {
  readonly issuer: string
  readonly subject: string
  readonly ssoSession?: string | undefined
}

/** A person who comes from the provider of a company now. */
export function arrivalAt(organizationId: OrganizationId, person: AtProvider, at: number): Arrival {
  const unnamed = () => logoutOf(organizationId, person, 'without a session')
  return { at, logouts: [logoutOf(organizationId, person, 'everything'), person.ssoSession ?? unnamed()] }
}

/** The names under which a logout is noted: what began at a provider that named no session may be of the one that ends. */
export function logoutsBy(
  { owner, issuer }: Pick<CompanyProvider, 'owner' | 'issuer'>,
  { subject, ssoSession }: Pick<AtProvider, 'ssoSession'> & { readonly subject: string | undefined },
): string[] {
  const what = ssoSession === undefined ? 'everything' : 'without a session'
  return [ssoSession ?? [], subject === undefined ? [] : logoutOf(owner, { issuer, subject }, what)].flat()
}

function logoutOf(
  organizationId: OrganizationId,
  { issuer, subject }: AtProvider,
  what: 'everything' | 'without a session',
): string {
  return digestSecret(`${what}\n${organizationId}\n${issuer}\n${subject}`)
}
