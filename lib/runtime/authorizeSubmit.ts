import type { Branding } from '../core/branding.ts'
import type { AuthorizeSubmitDeps } from '../oauth/authorize/authorizeSubmit.ts'
import { authorizeDepsFromEnvironment } from './authorize.ts'
import { submitSignInDepsFromEnvironment } from './hostedSignIn.ts'

/** Everything that the forms of the authorization endpoint need. Throws Error where the environment is not complete. */
export function authorizeSubmitDepsFromEnvironment(): AuthorizeSubmitDeps & { branding: Branding } {
  return { ...authorizeDepsFromEnvironment(), ...submitSignInDepsFromEnvironment() }
}
