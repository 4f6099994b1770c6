import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Logger } from '../../lib/log/logger.ts'
import { captureOutput } from './captureOutput.ts'
import { isMetricLine, type MetricLine, readMetricLine } from './outputLines.ts'

let logger: Logger
const before = process.env.METRICS

beforeAll(async () => {
  delete process.env.METRICS
  const module = await import('../../lib/runtime/logger.ts')
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

describe('Given METRICS off, as on the local stack', () => {
  const print = (metrics: string) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { logger } from './lib/runtime/logger.ts'; logger.info('Lines bought', { lines: 1 })`,
      ],
      { encoding: 'utf8', env: { ...process.env, METRICS: metrics, NODE_OPTIONS: '' } },
    )

  it('prints the log line and no metric', () => {
    expect(print('off').trim().split('\n')).toEqual([expect.stringContaining('"message":"Lines bought"')])
    expect(print('on').trim().split('\n')).toHaveLength(2)
  })
})
