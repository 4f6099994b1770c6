import { parseArgs, styleText } from 'node:util'
import { type FunctionRow, manifest } from '../manifest.ts'
import { runProgram } from '../runProgram.ts'
import { connectToStack } from './connectToStack.ts'
import { apiGatewayAnswer } from './http/apiGatewayAnswer.ts'
import { findRow } from './http/router.ts'
import { invokeFunction } from './invokeFunction.ts'
import { localClient } from './localClient.ts'
import { defaultSample, sampleOf } from './samples/readSamples.ts'
import { fillSampleEvent } from './samples/sampleEvent.ts'

const usage = 'npm run invoke -- <function> [sample] [--port N | --base URL]'

/**
 * Runs a function in this process against the tables, keys and gateway of a running stack, with the event of a sample, and prints its
 * answer. `events/README.md` describes samples. Exits with 1 if the sample expects another status.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, base: { type: 'string' } },
  })
  const row = findRow(positionals[0] ?? '')
  if (row === undefined) throw new Error(unknownFunction(positionals[0]))
  const sample = positionals[1] ?? defaultSample(row.name)
  const expected = sampleOf(row.name, sample).expect
  const info = await connectToStack(values)
  const { event } = await fillSampleEvent(localClient(info), row.name, sample)
  const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
  const verdict = status === expected ? styleText('green', 'as expected') : styleText('red', `expected ${expected}`)
  console.log(`${row.name} <- ${sample}\n${styleText('bold', String(status))} ${verdict}\n${pretty(body.toString())}`)
  process.exitCode = status === expected ? 0 : 1
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

runProgram(main)
