import type { RedirectPolicy } from '../oauth/client/redirectUri.ts'
import { environment } from './environment.ts'

/** The redirect policy of this stage: `exact` unless `DEVELOPMENT_REDIRECTS` is `on`. */
export function redirectPolicyFromEnvironment(): RedirectPolicy {
  const { DEVELOPMENT_REDIRECTS } = environment
  return DEVELOPMENT_REDIRECTS === 'on' ? 'development' : 'exact'
}
