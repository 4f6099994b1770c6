import type { RedirectPolicy } from '../oauth/redirectUri.ts'
import { environment, readEnvironment } from './environment.ts'

/** The redirect policy of this stage: `exact` unless `DEVELOPMENT_REDIRECTS` is `on`. */
export function redirectPolicyFromEnvironment(): RedirectPolicy {
  const { DEVELOPMENT_REDIRECTS } = readEnvironment(environment.pick({ DEVELOPMENT_REDIRECTS: true }))
  return DEVELOPMENT_REDIRECTS === 'on' ? 'development' : 'exact'
}
