import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { allowedFields } from '../../../lib/log/logEntry.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import { type LogMessage, textLimits } from '../../../lib/log/logMessage.ts'
import { logMessages } from '../../../lib/log/logMessages.ts'
import { metrics } from '../../../lib/log/metrics.ts'

/** Alarms and dashboards depend on these: change both together. */
const vocabulary = [
  'CouponsRefused Count',
  'Drift Count',
  'DriftLeft Count',
  'EventsIgnored Count because',
  'EventsNotRelayed Count',
  'KmsFailures Count',
  'LinesBought Count',
  'LinesRefused Count reason',
  'MailsNotSent Count',
  'OrphanedSubscriptions Count',
  'PendingAge Seconds',
  'PurchasesUnknown Count',
  'RateLimited Count',
  'ReconciliationAge Seconds',
  'StripeKeyRefused Count',
  'StripeNotAnswering Count',
  'SubscriptionsReported Count',
  'TokensRefused Count reason',
  'VersionFaults Count function version',
  'WebhookLag Seconds',
  'WebhooksForged Count',
  'WebhooksNotRecorded Count',
]

const messages: Readonly<Record<string, LogMessage>> = logMessages
const vocabularyRows: Readonly<Record<string, { unit: string; dimension?: string; ofVersion?: true }>> = metrics
const counts = Object.entries(messages).flatMap(([message, { counts, fields }]) =>
  counts.map((counted) => ({ message, fields, ...counted })),
)

const sources = globSync('{lib,functions}/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const calls = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/\blogger\.(\w+)\(\s*(?:'([^']+)')?/g)].map(([, level, message]) => ({ file, level, message })),
)

describe('The registry of log messages', () => {
  // [asvs 16.1.1]
  it('names every message that the code logs, each at its level', () => {
    expect(calls.length).toBeGreaterThan(20)
    const strangers = calls.filter(({ level, message = '' }) => messages[message]?.level !== level)
    expect(strangers).toEqual([])
  })

  it('names no message that the code does not log', () => {
    const logged = new Set(calls.map(({ message }) => message))
    expect(Object.keys(messages).filter((message) => !logged.has(message))).toEqual([])
  })

  it('is the only way to print anything', () => {
    const printing = /\bconsole\.|process(\.(stdout|stderr)|\[)/
    expect(sources.filter(({ text }) => printing.test(text)).map(({ file }) => file)).toEqual(['lib/runtime/logger.ts'])
  })

  it('accepts no field that would replace one that every line has', () => {
    const reserved = [
      'level',
      'message',
      'timestamp',
      'service',
      'sampling_rate',
      'xray_trace_id',
      'requestId',
      'awsRequestId',
    ]
    const fields = Object.values(messages).flatMap((message) => Object.keys(message.fields))
    expect(fields.filter((field) => reserved.includes(field))).toEqual([])
  })

  it('compiles with nothing else', () => {
    const accept = (logger: Logger) => {
      // @ts-expect-error: no such message
      logger.info('Something happened', {})
      // @ts-expect-error: another level
      logger.error('Lines bought', { lines: 1 })
      // @ts-expect-error: no such field
      logger.info('Lines bought', { lines: 1, email: 'guest' })
      // @ts-expect-error: another type
      logger.info('Lines bought', { lines: 'one' })
    }
    expect(accept).toBeInstanceOf(Function)
  })
})

describe('The vocabulary of metrics', () => {
  it('is the one that alarms are set on', () => {
    const rows = Object.entries(vocabularyRows).map(([name, { unit, dimension, ofVersion }]) =>
      [name, unit, dimension, ofVersion && 'function version'].filter((part) => part !== undefined).join(' '),
    )
    expect(rows.toSorted()).toEqual(vocabulary)
  })

  it('is counted by messages, all of it, with a dimension where it has one', () => {
    expect(new Set(counts.map(({ metric }) => metric))).toEqual(new Set(Object.keys(metrics)))
    const odd = counts.filter(
      ({ metric, dimension }) => (dimension === undefined) !== (vocabularyRows[metric]?.dimension === undefined),
    )
    expect(odd).toEqual([])
  })

  it('takes its values from numbers and its dimensions from closed sets of words', () => {
    for (const { fields, value, dimension } of counts) {
      if (value !== undefined) expect(fields[value]).toBe('number')
      if (dimension !== undefined) expect(['code', 'sentence']).toContain(fields[dimension])
    }
  })
})

describe('The fields of a line', () => {
  it('are those that its message may have; others are dropped, from any caller', () => {
    const fields = { lines: 2, reason: 'card_declined', email: 'guest@example.com', body: '{}' }
    expect(allowedFields('Lines refused', fields)).toEqual({ lines: 2, reason: 'card_declined' })
    expect(allowedFields('Lines bought', fields)).toEqual({ lines: 2 })
  })

  it('are of their kind', () => {
    const fields = { code: 7, status: 'not found', reason: true, cause: undefined }
    expect(allowedFields('Request refused', fields)).toEqual({})
    expect(allowedFields('Lines bought', { lines: Number.NaN })).toEqual({})
    expect(allowedFields('Customer is gone at the gateway', { forgotten: 'yes' })).toEqual({})
  })

  // [asvs 16.4.1]
  it('are cut at the length of their kind', () => {
    const long = 'x'.repeat(5000)
    expect(allowedFields('Request failed', { name: long, stack: long })).toEqual({
      name: 'x'.repeat(textLimits.code),
      stack: 'x'.repeat(textLimits.stack),
    })
  })
})
