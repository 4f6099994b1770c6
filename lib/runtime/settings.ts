import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import { type Branding, branding } from '../core/branding.ts'
import { relyingPartyOf } from '../core/relyingParty.ts'
import type { RedirectPolicy } from '../oauth/client/redirectUri.ts'
import { environment } from './environment.ts'

/** What pages and mails look like. Throws z.core.$ZodError or SyntaxError if `BRANDING` is ill-formed. */
export function brandingFromEnvironment(): Branding {
  return branding.parse(JSON.parse(environment.BRANDING))
}

/** The redirect policy of this stage: `exact` unless `DEVELOPMENT_REDIRECTS` is `on`. */
export function redirectPolicyFromEnvironment(): RedirectPolicy {
  const { DEVELOPMENT_REDIRECTS } = environment
  return DEVELOPMENT_REDIRECTS === 'on' ? 'development' : 'exact'
}

/** Passkeys belong to the issuer's host. */
export function relyingPartyFromEnvironment(): RelyingParty {
  const { TOKEN_ISSUER } = environment
  return { ...relyingPartyOf(TOKEN_ISSUER), name: brandingFromEnvironment().name }
}
