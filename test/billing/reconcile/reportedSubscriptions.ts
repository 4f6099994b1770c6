import { captureOutput } from '../../runtime/observability/captureOutput.ts'
import { readLogLine } from '../../runtime/observability/outputLines.ts'

/** Before the stack's first request, with which the logger is imported and reads its level. */
export function logErrors(): void {
  process.env.LOG_LEVEL = 'ERROR'
}

/** Runs something, and returns which subscriptions were reported meanwhile, and why. */
export async function reportsOf(run: () => Promise<unknown>): Promise<unknown[][]> {
  const output = captureOutput()
  try {
    await run()
  } finally {
    output.stop()
  }
  const lines = output.lines().filter((line) => line.startsWith('{"level"'))
  const reported = lines.map(readLogLine).filter(({ message }) => message === 'Subscription reported')
  return reported.map(({ fields }) => [fields.subscriptionId, fields.why])
}
