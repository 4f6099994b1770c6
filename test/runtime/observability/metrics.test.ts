import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { Logger } from '../../../lib/log/logger.ts'
import { captureOutput } from './captureOutput.ts'
import { isMetricLine, type MetricLine, readMetricLine } from './outputLines.ts'

let logger: Logger
const before = process.env.METRICS

beforeAll(async () => {
  delete process.env.METRICS
  const module = await import('../../../lib/runtime/logger.ts')
  logger = module.logger
})

afterAll(() => {
  if (before !== undefined) process.env.METRICS = before
})

function metricsOf(log: (logger: Logger) => void): [string, unknown, MetricLine['dimensions']][] {
  const output = captureOutput()
  try {
    log(logger)
  } finally {
    output.stop()
  }
  return output
    .lines()
    .filter(isMetricLine)
    .map(readMetricLine)
    .map(({ name, value, dimensions }) => [name, value, dimensions])
}

const id = '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01'
const purchase = { organizationId: id, product: 'ota', n: 1 }

const counted: [string, (logger: Logger) => void, [string, unknown, object][]][] = [
  ['lines bought', (to) => to.info('Lines bought', { lines: 3 }), [['LinesBought', 3, {}]]],
  [
    'lines refused, by reason',
    (to) => to.info('Lines refused', { reason: 'card_declined', lines: 2 }),
    [['LinesRefused', 2, { reason: 'card_declined' }]],
  ],
  ...['coupon_already_redeemed', 'coupon_invalid'].map((reason): (typeof counted)[number] => [
    `refused coupons as both: ${reason}`,
    (to) => to.info('Lines refused', { reason, lines: 1 }),
    [
      ['LinesRefused', 1, { reason }],
      ['CouponsRefused', 1, {}],
    ],
  ]),
  ['unknown outcomes', (to) => to.warn('Purchase outcome unknown', purchase), [['PurchasesUnknown', 1, {}]]],
  [
    'purchases that could not be settled',
    (to) => to.error('Purchase not settled', purchase),
    [['PurchasesUnknown', 1, {}]],
  ],
  [
    'the age of the oldest pending purchase, also 0',
    (to) => to.info('Pending purchases swept', { pending: 0, oldestSeconds: 0 }),
    [['PendingAge', 0, {}]],
  ],
  ['webhook lag', (to) => to.info('Event received', { kind: 'other', lagSeconds: 4 }), [['WebhookLag', 4, {}]]],
  ['events not recorded', (to) => to.error('Event not recorded', {}), [['WebhooksNotRecorded', 1, {}]]],
  [
    'answers of 5xx',
    (to) => to.error('Request not served', { code: 'gateway_unavailable', status: 503 }),
    [['VersionFaults', 1, {}]],
  ],
  [
    'answers of 500 to what is in no table',
    (to) => to.error('Request failed', { name: 'TypeError' }),
    [['VersionFaults', 1, {}]],
  ],
  [
    'forged webhooks',
    (to) => to.info('Request refused', { code: 'invalid_signature', status: 400 }),
    [['WebhooksForged', 1, {}]],
  ],
  ['no other refusal', (to) => to.info('Request refused', { code: 'forbidden', status: 403 }), []],
  [
    'ignored events, by why',
    (to) => to.info('Event ignored', { type: 'charge.succeeded', because: 'not projected' }),
    [['EventsIgnored', 1, { because: 'not projected' }]],
  ],
  ['orphans', (to) => to.error('Orphaned subscription', purchase), [['OrphanedSubscriptions', 1, {}]]],
  ['reports', (to) => to.error('Subscription reported', purchase), [['SubscriptionsReported', 1, {}]]],
  [
    'drift and what is left of it, also 0',
    (to) => to.info('Reconciled with the gateway', { drift: 2, left: 0 }),
    [
      ['Drift', 2, {}],
      ['DriftLeft', 0, {}],
    ],
  ],
  [
    'refused token requests, by code',
    (to) => to.info('Token request refused', { code: 'invalid_grant', status: 400 }),
    [['TokensRefused', 1, { reason: 'invalid_grant' }]],
  ],
  ['requests over their limit', (to) => to.warn('Rate limit exceeded', {}), [['RateLimited', 1, {}]]],
  ['KMS failures', (to) => to.error('KMS call failed', { key: 'token' }), [['KmsFailures', 1, {}]]],
  [
    'mails that SES does not take',
    (to) => to.error('SES call failed', { reason: 'SendingPausedException' }),
    [['MailsNotSent', 1, {}]],
  ],
  [
    'an organization whose events are not relayed',
    (to) => to.error('Events not relayed', { reason: 'DynamoDB: timeout' }),
    [['EventsNotRelayed', 1, {}]],
  ],
  ['a key that Stripe refuses', (to) => to.warn('Gateway call failed', { status: 401 }), [['StripeKeyRefused', 1, {}]]],
  ['no other failure of the gateway', (to) => to.warn('Gateway call failed', { status: 402 }), []],
]

describe('The log counts', () => {
  it.each(counted)('%s', (_, log, expected) => {
    expect(metricsOf(log)).toEqual(expected)
  })

  it('nothing where the number is missing', () => {
    expect(metricsOf((to) => to.info('Lines bought', {}))).toEqual([])
  })
})

const boughtOne = "info('Lines bought', { lines: 1 })"

/** What a process with these variables prints where it logs. */
function print(variables: Readonly<Record<string, string>>, logs = boughtOne): string[] {
  const script = `import { logger } from './lib/runtime/logger.ts'; logger.${logs}`
  const env = { ...process.env, METRICS: 'on', NODE_OPTIONS: '', ...variables }
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env })
    .trim()
    .split('\n')
}

describe('Given a version of a function on Lambda', () => {
  const lambda = {
    STAGE: 'prod',
    AWS_LAMBDA_FUNCTION_NAME: 'prod-billing-checkout',
    AWS_LAMBDA_FUNCTION_VERSION: '7',
  }
  const metric = z.looseObject({
    _aws: z.object({ CloudWatchMetrics: z.tuple([z.looseObject({ Dimensions: z.tuple([z.array(z.string())]) })]) }),
  })

  /** The one metric in what is printed, its values by its dimensions. */
  function dimensionsOf(logs: string): object {
    const [line = ''] = print({ ...lambda, LOG_LEVEL: 'SILENT' }, logs)
    const { _aws, ...members } = metric.parse(JSON.parse(line))
    const [names] = _aws.CloudWatchMetrics[0].Dimensions
    return Object.fromEntries(names.map((name) => [name, members[name]]))
  }

  it('counts its answers of 5xx by function and version, of which a release’s alarm sees the new one’s', () => {
    expect(dimensionsOf("error('Request failed', { name: 'TypeError' })")).toEqual({
      service: 'console-backend',
      stage: 'prod',
      function: 'prod-billing-checkout',
      version: '7',
    })
  })

  it('counts nothing else so: each version would have metrics of its own', () => {
    expect(dimensionsOf(boughtOne)).toEqual({ service: 'console-backend', stage: 'prod' })
  })
})

describe('Given METRICS off, as on the local stack', () => {
  it('prints the log line and no metric', () => {
    expect(print({ METRICS: 'off' })).toEqual([expect.stringContaining('"message":"Lines bought"')])
    expect(print({ METRICS: 'on' })).toHaveLength(2)
  })
})
