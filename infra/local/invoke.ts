import { basename } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { type FunctionRow, manifest } from '../manifest.ts'
import { connectToStack } from './connectToStack.ts'
import { apiGatewayAnswer } from './http/apiGatewayAnswer.ts'
import { findRow } from './http/router.ts'
import { invokeFunction } from './invokeFunction.ts'
import { localClient } from './localClient.ts'
import { defaultSampleEvent, fillSampleEvent, listSampleEvents } from './samples/sampleEvent.ts'

const usage = 'npm run invoke -- <function> [events/<function>.<case>.json] [--port N | --base URL]'

/**
 * Runs a function in this process against the tables, keys and gateway of a running stack, with a sample event, and prints its answer.
 * `events/README.md` describes the event's placeholders. Exits with 1 if the event expects another status.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, base: { type: 'string' } },
  })
  const row = findRow(positionals[0] ?? '')
  if (row === undefined) throw new Error(unknownFunction(positionals[0]))
  const file = positionals[1] ? basename(positionals[1]) : defaultSampleEvent(row.name)
  if (file === undefined) throw new Error(`events/ has no sample event of ${row.name}`)
  const known = await listSampleEvents(row.name)
  if (!known.includes(file)) throw new Error(`There is no events/${file}. Those of ${row.name}: ${known.join(', ')}`)
  const info = await connectToStack(values)
  const { event, expectedStatus } = await fillSampleEvent(file, localClient(info))
  const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
  const verdict =
    status === expectedStatus ? styleText('green', 'as expected') : styleText('red', `expected ${expectedStatus}`)
  console.log(
    `${row.name} <- events/${file}\n${styleText('bold', String(status))} ${verdict}\n${pretty(body.toString())}`,
  )
  process.exitCode = status === expectedStatus ? 0 : 1
}

/** The reason, and a list of the functions. */
function unknownFunction(name: string | undefined): string {
  const rows: readonly FunctionRow[] = manifest
  const width = Math.max(...rows.map((row) => row.name.length))
  return [
    name === undefined ? 'Name a function.' : `There is no function ${name}.`,
    `Usage: ${usage}`,
    '',
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.summary}`),
  ].join('\n')
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
