import { beforeAll, describe, expect, it } from '@jest/globals'
import { logMessages } from '../../../lib/log/logMessages.ts'
import { metrics } from '../../../lib/log/metrics.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { Canaries } from './canaries.ts'
import { tellCanaryStory } from './canaryStory.ts'
import { captureOutput } from './captureOutput.ts'
import { isMetricLine, readLogLine, readMetricLine } from './outputLines.ts'

const bed = useBillingStack()
const canaries = new Canaries()
let lines: string[]

/** The output of this process during `act`, at the lowest log level and with metrics. */
async function outputOf(act: () => Promise<void>): Promise<string[]> {
  const output = captureOutput()
  try {
    await act()
  } finally {
    output.stop()
  }
  return output.lines()
}

beforeAll(async () => {
  // The functions are imported, and these variables read, at the first request.
  process.env.LOG_LEVEL = 'DEBUG'
  process.env.METRICS = 'on'
  // Nothing answers there.
  process.env.PWNED_PASSWORDS_URL = 'http://127.0.0.1:9'
  lines = await outputOf(() => tellCanaryStory(bed.stack, canaries))
})

describe('Given canaries in every secret, and every path through the functions', () => {
  // [asvs 16.2.5] [threat 113]
  it('prints none of them', () => {
    expect(canaries.size).toBeGreaterThan(80)
    expect(canaries.foundIn(lines)).toEqual([])
  })

  it('prints nothing that looks like a secret, a customer, a card or an address', () => {
    const shapes = /cus_|pm_|sk_test|whsec_|_secret_|\beyJ|Bearer|[\w.+-]+@[\w-]+\.\w/
    expect(lines.filter((line) => shapes.test(line))).toEqual([])
  })

  it('prints lines of the registry and of the vocabulary, and nothing else', () => {
    for (const line of lines) isMetricLine(line) ? readMetricLine(line) : readLogLine(line)
  })

  it('logs every message and counts every metric, so that each is checked', () => {
    const said = new Set<string>(lines.filter((line) => !isMetricLine(line)).map((line) => readLogLine(line).message))
    expect(Object.keys(logMessages).filter((message) => !said.has(message))).toEqual([])
    const counted = new Set<string>(lines.filter(isMetricLine).map((line) => readMetricLine(line).name))
    expect(Object.keys(metrics).filter((name) => !counted.has(name))).toEqual([])
  })

  it('would find a canary that a line carried', async () => {
    const { logger } = await import('../../../lib/runtime/logger.ts')
    const secret = canaries.make('leak')
    const leaked = await outputOf(async () => {
      logger.error('Event not recorded', { reason: `No such token: ${secret}` })
      console.warn(Buffer.from(secret).toString('base64'))
      process.stderr.write(`${secret}\n`)
    })
    expect(canaries.foundIn(leaked)).toHaveLength(3)
    expect(() => readLogLine('{"level":"INFO","message":"Body","service":"console-backend"}')).toThrow()
    const [line = ''] = lines.filter((one) => one.includes('Lines bought') && !isMetricLine(one))
    expect(() => readLogLine(line.replace('"lines"', '"body"'))).toThrow("No fields of 'Lines bought': body")
  })
})
