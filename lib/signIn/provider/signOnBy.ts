import type { SignOn } from '../../core/authentication.ts'
import { digestSecret } from '../../oauth/secretDigest.ts'
import type { ProviderIdentity } from '../ports.ts'
import type { RegisteredProvider } from './ports.ts'
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
