import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const trace = '1-5759e988-bd862e3fe1be46a994272793'

const powertools = `
  import { Logger } from '@aws-lambda-powertools/logger'
  import { Metrics } from '@aws-lambda-powertools/metrics'
  const lines = new Logger({ serviceName: 'console-backend' })
  const metrics = new Metrics({ namespace: 'ConsoleBackend', serviceName: 'console-backend', singleMetric: true })
  lines.info('Lines refused', { reason: 'card_declined', lines: 2 })
  metrics.addDimensions({ reason: 'card_declined' }).addMetric('LinesRefused', 'Count', 2)
  lines.info('Request refused', { code: 'forbidden', status: 403, reason: '', cause: undefined })
  lines.warn('Customer is gone at the gateway', { organizationId: 'o', forgotten: false })
  lines.error('Page not compared', { phase: 'events', reason: 'Größe "1"\\n' })
  metrics.addDimensions({}).addMetric('PendingAge', 'Seconds', 0.5)`

const ours = `
  import { logger } from '../../observability/lib/runtime/logger.ts'
  logger.info('Lines refused', { reason: 'card_declined', lines: 2 })
  logger.info('Request refused', { code: 'forbidden', status: 403, reason: '', cause: undefined })
  logger.warn('Customer is gone at the gateway', { organizationId: 'o', forgotten: false })
  logger.error('Page not compared', { phase: 'events', reason: 'Größe "1"\\n' })
  logger.info('Pending purchases swept', { oldestSeconds: 0.5 })`

/** What a script prints, on each stream, its times replaced. */
function outputOf(script: string, variables: Readonly<Record<string, string>>) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_FUNCTION_NAME: 'any',
      _X_AMZN_TRACE_ID: `Root=${trace};Sampled=1`,
      ...variables,
    },
  })
  return [stdout, stderr].map(linesOf)
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{') && !line.includes('Pending purchases swept'))
  return lines.map((line) => line.replace(/("Timestamp":)\d{13}|("timestamp":)"[\d-]{10}T[\d:.]{12}Z"/, '$1$2""'))
}

const levels: readonly (readonly [string, number])[] = [
  ['DEBUG', 2],
  ['INFO', 2],
  ['WARN', 0],
  ['ERROR', 0],
  ['SILENT', 0],
]

describe('The log, beside what Powertools for AWS Lambda prints', () => {
  it.each(levels)('has the same lines and metrics, to the byte, at level %s', (level, printed) => {
    const expected = outputOf(powertools, { POWERTOOLS_LOG_LEVEL: level })
    expect(outputOf(ours, { LOG_LEVEL: level })).toEqual(expected)
    expect(expected[0]).toHaveLength(2 + printed)
  })

  it('names the trace of the invocation', () => {
    const [[first = ''] = []] = outputOf(ours, {})
    expect(z.looseObject({ xray_trace_id: z.string() }).parse(JSON.parse(first)).xray_trace_id).toBe(trace)
  })
})
