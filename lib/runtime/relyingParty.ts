import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import { relyingPartyOf } from '../core/relyingParty.ts'
import { brandingFromEnvironment } from './branding.ts'
import { environment } from './environment.ts'

/** Whose passkeys these are: the issuer’s. Throws Error where the environment is not complete. */
export function relyingPartyFromEnvironment(): RelyingParty {
  const { TOKEN_ISSUER } = environment
  return { ...relyingPartyOf(TOKEN_ISSUER), name: brandingFromEnvironment().name }
}
