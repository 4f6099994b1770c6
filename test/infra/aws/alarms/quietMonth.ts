import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { createRandom } from '../../../proof/world/worldTime.ts'
import type { CloudWatch } from './cloudWatch.ts'

const DAY = 24 * 60
const service = { service: 'console-backend' }
const rows: readonly FunctionRow[] = manifest
const eachMinute = rows.flatMap(({ name, trigger }) => ('every' in trigger && trigger.every === 'minute' ? [name] : []))

/**
 * Four weeks of a small stage in which nothing is wrong, by a seed: office hours with more calls than nights, and everything that happens anyway.
 * Tokens expire, a client polls all night with a secret that was rotated, strangers scan the webhook and are blocked, a buyer tries a declined
 * card again and again, Stripe does not answer once in a while, a person resends an old event. Returns the minutes.
 */
export function playMonth(cloudWatch: CloudWatch, seed: number): number {
  const random = createRandom(seed)
  const chance = (percent: number) => random() < percent / 100
  const between = (least: number, most: number) => least + random() * (most - least)
  const own = (minute: number, name: string, value: number) =>
    cloudWatch.report(minute, 'ConsoleBackend', name, service, value)
  const minutes = 28 * DAY

  for (let minute = 1; minute <= minutes; minute++) {
    const hour = Math.floor((minute % DAY) / 60)
    const busy = hour >= 8 && hour < 18
    if (chance(busy ? 90 : 8)) callsOf(minute)
    if (chance(busy ? 0.8 : 0.05)) buy(minute)
    atNight(minute, hour)
    schedules(minute)
    edge(minute, busy)
  }
  return minutes

  /** A person's visit, or a server's turn. */
  function callsOf(minute: number): void {
    const answered = (routeKey: string, status: number) =>
      cloudWatch.reportAnswer(minute, { routeKey, status, latency: chance(1) ? between(3000, 9000) : between(40, 400) })
    if (chance(20)) answered('GET /api/users/me', 401)
    if (chance(30)) answered('POST /api/oauth/token', chance(10) ? 400 : 200)
    if (chance(3)) answered('POST /api/billing/cancel', chance(30) ? 409 : 200)
    for (let n = 0; n < 2; n++) answered('GET /api/billing/entitlements', chance(2) ? 404 : 200)
    if (!chance(15)) return
    const dimensions = { FunctionName: 'prod-oauth-authorize-submit' }
    cloudWatch.report(minute, 'AWS/Lambda', 'Invocations', dimensions, 1)
    cloudWatch.report(minute, 'AWS/Lambda', 'Duration', dimensions, chance(1) ? between(2000, 5000) : between(150, 700))
  }

  function buy(minute: number): void {
    const declined = chance(15)
    cloudWatch.reportAnswer(minute, {
      routeKey: 'POST /api/billing/checkout',
      status: declined ? 402 : 200,
      latency: between(900, 4000),
    })
    own(minute, declined ? 'LinesRefused' : 'LinesBought', 1)
    // A buyer who is declined tries five times within minutes.
    if (declined) for (let n = 1; n <= 4; n++) own(minute + n, 'LinesRefused', 1)
    if (!declined) for (let n = 0; n < 4; n++) own(minute + (chance(30) ? 1 : 0), 'WebhookLag', between(1, 20))
    if (chance(1)) own(minute, 'StripeNotAnswering', 2)
  }

  function atNight(minute: number, hour: number): void {
    // From one to six, every minute, for a week: a secret was rotated, and one client does not know it.
    if (hour >= 1 && hour < 6 && minute < 7 * DAY) {
      cloudWatch.reportAnswer(minute, { routeKey: 'POST /api/oauth/token', status: 401 })
      cloudWatch.reportAnswer(minute, { routeKey: 'GET /api/billing/entitlements', status: 401 })
    }
    if (chance(0.3)) own(minute, 'WebhooksForged', 1)
    // Resent by hand.
    if (chance(0.01)) own(minute, 'WebhookLag', 2 * 86_400)
  }

  function schedules(minute: number): void {
    const ran = (name: string) =>
      cloudWatch.report(minute, 'AWS/Lambda', 'Invocations', { FunctionName: `prod-${name}` }, 1)
    for (const name of eachMinute) ran(name)
    own(minute, 'PendingAge', chance(0.2) ? between(1, 900) : 0)
    if (minute % 15 === 0) {
      ran('billing-reconcile')
      own(minute, 'ReconciliationAge', (minute % DAY) * 60)
    }
    if (minute % DAY === 60) {
      ran('deletions-erase')
      ran('domains-check')
      own(minute, 'Drift', 0)
      own(minute, 'DriftLeft', 0)
    }
    if (minute % 10 === 0) cloudWatch.report(minute, 'CloudWatchSynthetics', 'SuccessPercent', { CanaryName: '*' }, 100)
    cloudWatch.report(minute, 'AWS/Lambda', 'UnreservedConcurrentExecutions', {}, between(0, 30))
  }

  function edge(minute: number, busy: boolean): void {
    const ofAcl = { WebACL: 'prod-console', Rule: 'ALL' }
    const ofDistribution = { DistributionId: '*', Region: 'Global' }
    const requests = busy ? between(2, 12) : between(0, 2)
    cloudWatch.report(minute, 'AWS/WAFV2', 'AllowedRequests', ofAcl, requests)
    // Scanners come in bursts of a few minutes.
    if (minute % 360 < 3) cloudWatch.report(minute, 'AWS/WAFV2', 'BlockedRequests', ofAcl, between(10, 80))
    cloudWatch.report(minute, 'AWS/CloudFront', 'Requests', ofDistribution, requests)
    cloudWatch.report(minute, 'AWS/CloudFront', '4xxErrorRate', ofDistribution, between(0, 20))
    cloudWatch.report(minute, 'AWS/CloudFront', '5xxErrorRate', ofDistribution, chance(1) ? 20 : 0)
  }
}
