import { describePairs } from './describePairs.ts'

describePairs([
  'cancel now',
  'cancel at the end of the period',
  'webhooks of a purchase that crashed after it was sent',
  'webhooks of a subscription that the gateway ended',
])
