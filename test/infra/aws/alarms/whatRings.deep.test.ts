import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { latestEvent, postWebhook, signatureOf } from '../../../billing/events/webhookRequests.ts'
import { captureOutput } from '../../../runtime/observability/captureOutput.ts'
import { useBillingStack } from '../../../support/billingStack.ts'
import { runSchedule } from '../../../support/runSchedule.ts'
import { accessLogFiltersOf, alarmsOf, compositesOf } from './alarmTemplates.ts'
import { type Answered, CloudWatch } from './cloudWatch.ts'
import { synthesizeObservedStage } from './observedStage.ts'

const { service, observability } = synthesizeObservedStage()
const alarms = alarmsOf(observability)
const composites = compositesOf(observability)
const filters = accessLogFiltersOf(service)
const named = (id: string) => {
  const found = alarms.find((alarm) => alarm.id === id)
  if (found === undefined) throw new Error(`No alarm ${id}`)
  return found
}
const topics = observability.resources('AWS::SNS::Topic', z.object({ TopicName: z.string() }))
const topicOf = (name: string) => topics.find(({ Properties }) => Properties.TopicName === `prod-console-${name}`)?.id

const bed = useBillingStack()

let output: ReturnType<typeof captureOutput>
beforeAll(async () => {
  // The functions are imported, and this variable is read, at the first request.
  process.env.METRICS = 'on'
  output = captureOutput()
  await bed.stack.emulator.webhooks('hold')
})
afterAll(() => output.stop())

/** The lines that the functions print. */
async function printed(act: () => Promise<unknown>): Promise<string[]> {
  const before = output.lines().length
  await act()
  return output.lines().slice(before)
}

/** What a call of the API is answered, and what the function prints meanwhile. */
async function called(
  method: 'GET' | 'POST',
  path: string,
  request: { token?: string; body?: string; headers?: Record<string, string> } = {},
) {
  let status = 0
  const lines = await printed(async () => {
    status = (await bed.stack.wire({ method, path, ...request })).status
  })
  const [route = ''] = path.split('?')
  return { lines, answer: { routeKey: `${method} ${route}`, status } }
}

/** What is reported again and again from the first minute on. */
interface Played {
  readonly lines?: readonly string[]
  readonly answer?: Answered
  readonly every: number
  /** How often in such a minute. */
  readonly times?: number
}

/** The minute in which an alarm of the stage goes off, if the calls repeat what these did. */
function rings(id: string, within: number, ...played: readonly Played[]): number | undefined {
  return play(played, within).firstRed(named(id), { until: within })
}

function play(played: readonly Played[], minutes: number): CloudWatch {
  const cloudWatch = new CloudWatch(filters)
  for (const { lines = [], answer, every, times = 1 } of played)
    for (let minute = 1; minute <= minutes; minute += every)
      for (let n = 0; n < times; n++) {
        cloudWatch.reportLines(minute, lines)
        if (answer) cloudWatch.reportAnswer(minute, answer)
      }
  return cloudWatch
}

/** One purchase, with what Stripe sends of it or without. */
async function purchase(events: 'delivered' | 'held') {
  const { organizationId } = await bed.stack.organizationWithCard()
  const token = await bed.stack.token()
  const lines = await printed(async () => {
    await bed.stack.checkoutWith(token, organizationId, ['base_ota'])
    if (events === 'delivered') await bed.stack.emulator.flush()
  })
  return { organizationId, lines }
}

/** One purchase that Stripe refuses with this status. */
async function refusedPurchase(status: number, message: string): Promise<string[]> {
  const { organizationId } = await bed.stack.organizationWithCard()
  const token = await bed.stack.token()
  const body = { error: { type: 'invalid_request_error', message } }
  await bed.stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'status', status, body, times: 4 })
  const lines = await printed(() => bed.stack.checkoutWith(token, organizationId, ['base_ota']))
  await bed.stack.emulator.clearFaults()
  return lines
}

const someAnswers: Played = { answer: { routeKey: 'GET /api/billing/products', status: 200 }, every: 1, times: 5 }

describe('Each incident rings in time', () => {
  it('1: the webhook secret is wrong, 15 minutes', async () => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid' })
    const timestamp = await bed.stack.emulator.now()
    const lines = await printed(() =>
      postWebhook(bed.stack, payload, [signatureOf(payload, { secret: 'whsec_of_another_account', timestamp })]),
    )
    expect(rings('WebhookSecretWrong', 15, { lines, every: 3 })).toBeLessThanOrEqual(15)
    // A stranger who tries the address beside Stripe's own events.
    const { lines: bought } = await purchase('delivered')
    expect(rings('WebhookSecretWrong', 120, { lines, every: 3 }, { lines: bought, every: 10 })).toBeUndefined()
  })

  it('2: no events though there are purchases, 2 hours', async () => {
    const { lines } = await purchase('held')
    expect(rings('NoEvents', 120, { lines, every: 20 })).toBeLessThanOrEqual(120)
    expect(rings('NoEvents', 120, { lines, every: 200 })).toBeUndefined()
    const { lines: heard } = await purchase('delivered')
    expect(rings('NoEvents', 240, { lines: heard, every: 20 })).toBeUndefined()
  })

  it('3: events are an hour late', async () => {
    const { organizationId } = await purchase('held')
    const [subscription] = await bed.stack.subscriptions(organizationId)
    const event = await latestEvent(bed.stack, 'customer.subscription.created', subscription?.id ?? '')
    const timestamp = await bed.stack.emulator.now()
    const payload = JSON.stringify({ ...event, created: timestamp - 3700 })
    const { webhook_secret: secret } = bed.stack.client.info.stripe
    const lines = await printed(() => postWebhook(bed.stack, payload, [signatureOf(payload, { secret, timestamp })]))
    expect(rings('EventsLate', 30, { lines, every: 4 })).toBeLessThanOrEqual(30)
  })

  it('4: every token is 401', async () => {
    const { answer } = await called('GET', '/api/users/me', { token: 'e30.e30.e30' })
    expect(answer.status).toBe(401)
    const page: Played = { answer: { routeKey: 'POST /api/oauth/token', status: 200 }, every: 1, times: 5 }
    expect(rings('EveryTokenRefused', 30, { answer, every: 1, times: 5 }, page)).toBeLessThanOrEqual(30)
  })

  it('5: every client is refused at the token endpoint', async () => {
    const { answer } = await called('POST', '/api/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${bed.stack.client.info.demo.client_id}&client_secret=wrong`,
    })
    expect(answer.status).toBe(401)
    expect(rings('EveryClientRefused', 30, { answer, every: 1, times: 3 }, someAnswers)).toBeLessThanOrEqual(30)
  })

  it('6: every line of every cart is refused', async () => {
    const lines = await refusedPurchase(403, 'This account cannot currently make live charges.')
    expect(rings('EveryLineRefused', 30, { lines, every: 2 })).toBeLessThanOrEqual(30)
    const { lines: bought } = await purchase('held')
    expect(rings('EveryLineRefused', 60, { lines, every: 2 }, { lines: bought, every: 10 })).toBeUndefined()
  })

  it('7: one caller uses up the stage’s throttle', () => {
    const refused = { routeKey: 'GET /api/billing/entitlements', status: 429 }
    const byGateway: Played = { answer: { ...refused, byGateway: true }, every: 1, times: 40 }
    expect(rings('StageThrottled', 30, byGateway, someAnswers)).toBeLessThanOrEqual(30)
    expect(rings('StageThrottled', 60, { answer: refused, every: 1, times: 40 })).toBeUndefined()
  })

  it('8: every answer takes more than 5 seconds', () => {
    const slow: Played = { answer: { routeKey: 'GET /api/users/me', status: 200, latency: 6000 }, every: 1, times: 4 }
    expect(rings('AnswersSlow', 30, slow)).toBeLessThanOrEqual(30)
  })

  it('9: an event is missed, 26 hours', async () => {
    const { organizationId } = await purchase('delivered')
    for (const { id } of await bed.stack.subscriptions(organizationId)) await bed.stack.stripe.subscriptions.cancel(id)
    const lines = await printed(() => runSchedule('billing-reconcile', { begin: true }))
    const day = 26 * 60
    const cloudWatch = new CloudWatch(filters)
    cloudWatch.reportLines(24 * 60, lines)
    expect(cloudWatch.firstRed(named('EventsMissed'), { until: day })).toBeLessThanOrEqual(day)
  })

  it('10: one sign-in of twenty takes more than 3 seconds', () => {
    const cloudWatch = new CloudWatch(filters)
    const dimensions = { FunctionName: 'prod-oauth-authorize-submit' }
    for (let minute = 1; minute <= 30; minute++) {
      cloudWatch.report(minute, 'AWS/Lambda', 'Invocations', dimensions, 1, 1, 1, 1)
      cloudWatch.report(minute, 'AWS/Lambda', 'Duration', dimensions, 300, 400, 3500, 3600)
    }
    expect(cloudWatch.firstRed(named('SignInSlow'), { until: 30 })).toBeLessThanOrEqual(30)
  })

  it.each([
    [
      'FirewallBlocks',
      'AWS/WAFV2',
      { WebACL: 'prod-console', Rule: 'ALL' },
      { BlockedRequests: 40, AllowedRequests: 20 },
    ],
    ['FirewallBlocks', 'AWS/WAFV2', { WebACL: 'prod-console', Rule: 'ALL' }, { BlockedRequests: 40 }],
    ['EdgeRefuses', 'AWS/CloudFront', { DistributionId: '*', Region: 'Global' }, { Requests: 20, '4xxErrorRate': 90 }],
    ['EdgeFails', 'AWS/CloudFront', { DistributionId: '*', Region: 'Global' }, { Requests: 20, '5xxErrorRate': 20 }],
  ])('11: the firewall or CloudFront refuses customers: %s', (id, namespace, dimensions, each) => {
    const cloudWatch = new CloudWatch(filters)
    for (let minute = 1; minute <= 30; minute++)
      for (const [name, value] of Object.entries(each)) cloudWatch.report(minute, namespace, name, dimensions, value)
    expect(cloudWatch.firstRed(named(id), { until: 30 })).toBeLessThanOrEqual(30)
  })

  it('12: Stripe does not answer: one alarm, and none of its consequences', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const token = await bed.stack.token()
    await bed.stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 20 })
    const bodies = { product_codes: ['base_ota'] }
    const { lines, answer } = await called('POST', `/api/billing/checkout?organization_id=${organizationId}`, {
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodies),
    })
    await bed.stack.emulator.clearFaults()
    await bed.stack.emulator.advance(3700)
    const swept = await printed(() => runSchedule('billing-sweep'))
    expect(answer.status).toBeGreaterThanOrEqual(500)
    const cloudWatch = play(
      [
        { lines, answer, every: 1, times: 2 },
        { lines: swept, every: 5 },
      ],
      90,
    )
    const red = alarms.filter(
      (alarm) => cloudWatch.firstRed(alarm, { until: 90 }) !== undefined && !alarm.missingBreaches,
    )
    const sending = red.filter(({ notifies }) => notifies.length > 0).map(({ id }) => id)
    const composed = composites.filter(({ anyOf }) => anyOf.some((id) => red.some((alarm) => alarm.id === id)))
    const suppressed = composed.filter(({ suppressor }) => suppressor === 'StripeUnavailable').map(({ id }) => id)
    expect(cloudWatch.firstRed(named('StripeNotAnswering'), { until: 90 })).toBeLessThanOrEqual(10)
    expect(sending).toEqual([])
    expect(composed.filter(({ suppressor }) => suppressor === undefined).map(({ id }) => id)).toEqual([
      'StripeUnavailable',
    ])
    expect(suppressed.length).toBeGreaterThanOrEqual(4)
  })

  it('13: Stripe refuses the key', async () => {
    const lines = await refusedPurchase(401, 'Invalid API Key provided')
    expect(rings('StripeKeyRefused', 30, { lines, every: 10 })).toBeLessThanOrEqual(30)
    expect(composites.find(({ id }) => id === 'StripeUnavailable')?.anyOf).toContain('StripeKeyRefused')
  })

  it('14: the tables do not answer', async () => {
    const token = await bed.stack.token()
    const organizationId = await bed.stack.client.newOrganization()
    bed.stack.dynamoDb.fail({
      operation: 'BatchGetItem',
      times: 5,
      error: { type: 'ValidationException', message: '' },
    })
    const path = `/api/billing/entitlements?organization_id=${organizationId}`
    const { answer } = await called('GET', path, { token })
    bed.stack.dynamoDb.reset()
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(rings('ApiFaults', 30, { answer, every: 1, times: 2 })).toBeLessThanOrEqual(30)
  })

  it('15: one call of the money is answered 5xx, and its line comes ten minutes late', () => {
    const routeKey = 'POST /api/billing/checkout'
    const cloudWatch = new CloudWatch(filters)
    cloudWatch.reportAnswer(3, { routeKey, status: 500 })
    expect(cloudWatch.firstRed(named('BillingFaults'), { until: 30 })).toBeLessThanOrEqual(30)
    const late = named('BillingFaults')
    // The alarm of minute 13 still sees minute 3.
    expect(late.periods * Math.max(...Object.values(late.metrics).map(({ period }) => period))).toBe(15 * 60)
  })
})

describe('Every alarm', () => {
  it('notifies one of two topics, itself or by the alarm around it', () => {
    const both = new Set([topicOf('alarms'), topicOf('tickets')])
    const around = new Set(composites.flatMap(({ anyOf }) => anyOf))
    for (const { id, notifies } of alarms) expect([id, notifies.length]).toEqual([id, around.has(id) ? 0 : 1])
    for (const { notifies } of [...alarms, ...composites]) for (const topic of notifies) expect(both).toContain(topic)
  })

  it.each([
    ['ApiFaults', 'alarms'],
    ['EveryTokenRefused', 'alarms'],
    ['DriftLeft', 'tickets'],
    ['EventsMissed', 'tickets'],
    ['CertificateEnds', 'tickets'],
  ])('%s notifies %s', (id, topic) => {
    const sender =
      alarms.find((alarm) => alarm.id === id && alarm.notifies.length > 0) ??
      composites.find(({ anyOf, suppressor }) => suppressor && anyOf.includes(id))
    expect(sender?.notifies).toEqual([topicOf(topic)])
  })
})
