import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'

const trace = '1-5759e988-bd862e3fe1be46a994272793'

const script = `
  import { logger } from './lib/runtime/logger.ts'
  logger.info('Lines refused', { reason: 'card_declined', lines: 2 })
  logger.info('Request refused', { code: 'forbidden', status: 403, reason: '', cause: undefined })
  logger.warn('Customer is gone at the gateway', { organizationId: 'o', forgotten: false })
  logger.error('Page not compared', { phase: 'events', reason: 'Größe "1"\\n' })`

/** The lines that the script prints on each stream, with their times replaced. */
function outputAt(level: string) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_FUNCTION_NAME: 'any',
      _X_AMZN_TRACE_ID: `Root=${trace};Sampled=1`,
      LOG_LEVEL: level,
    },
  })
  return [stdout, stderr].map((text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => line.replace(/("Timestamp":)\d{13}|("timestamp":)"[\d-]{10}T[\d:.]{12}Z"/, '$1$2""')),
  )
}

const metric =
  '{"_aws":{"Timestamp":"","CloudWatchMetrics":[{"Namespace":"ConsoleBackend","Dimensions":[["service","reason"],["service"]],"Metrics":[{"Name":"LinesRefused","Unit":"Count"}]}]},"service":"console-backend","reason":"card_declined","LinesRefused":2}'

/** A line with what every line has. */
function line(level: string, message: string, fields: string): string {
  return `{"level":"${level}","message":"${message}","timestamp":"","service":"console-backend","sampling_rate":0,"xray_trace_id":"${trace}",${fields}}`
}

const infos = [
  line('INFO', 'Lines refused', '"reason":"card_declined","lines":2'),
  metric,
  line('INFO', 'Request refused', '"code":"forbidden","status":403'),
]
const warning = line('WARN', 'Customer is gone at the gateway', '"organizationId":"o","forgotten":false')
const error = line('ERROR', 'Page not compared', '"phase":"events","reason":"Größe \\"1\\"\\n"')

describe('The log', () => {
  it.each([
    ['DEBUG', infos, [warning, error]],
    ['INFO', infos, [warning, error]],
    ['WARN', [metric], [warning, error]],
    ['ERROR', [metric], [error]],
    ['SILENT', [metric], []],
  ])('has these lines, with the trace, and these metrics at level %s', (level, out, err) => {
    expect(outputAt(level)).toEqual([out, err])
  })
})
