import { parseArgs, styleText } from 'node:util'
import { type FunctionRow, manifest } from '../manifest.ts'
import { runProgram } from '../runProgram.ts'
import { connectToStack } from './connectToStack.ts'
import { setEnvironment } from './functionEnvironment.ts'
import { apiGatewayAnswer } from './http/apiGatewayAnswer.ts'
import { findRow } from './http/router.ts'
import { invokeFunction } from './invokeFunction.ts'
import { localClient } from './localClient.ts'
import { closestNames } from './samples/closestNames.ts'
import { defaultSample, sampleOf } from './samples/readSamples.ts'
import { fillSampleEvent } from './samples/sampleEvent.ts'

const rows: readonly FunctionRow[] = manifest
const usage = 'npm run invoke -- <function> [sample] [--print] [--port N | --base URL]'

/**
 * Runs a function in this process against the tables, keys and gateway of a running stack, with the event of a sample, and prints its log
 * and its answer; with `--print`, prints the event instead, for the test of a function in AWS's console or `sam local invoke`.
 * `events/README.md` describes samples. Exits with 1 if the sample expects another status.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { print: { type: 'boolean', default: false }, port: { type: 'string' }, base: { type: 'string' } },
  })
  const row = findRow(positionals[0] ?? '')
  if (row === undefined) throw new Error(unknownFunction(positionals[0]))
  const sample = positionals[1] ?? defaultSample(row.name)
  const expected = sampleOf(row.name, sample).expect
  const info = await connectToStack(values, { quiet: values.print })
  const { event } = await fillSampleEvent(localClient(info), row.name, sample)
  if (values.print) {
    console.log(JSON.stringify(event, null, 2))
    return
  }
  console.log(`${row.name} <- ${sample}`)
  setEnvironment({ LOG_LEVEL: 'INFO' })
  const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
  const verdict = status === expected ? styleText('green', 'as expected') : styleText('red', `expected ${expected}`)
  console.log(`${styleText('bold', String(status))} ${verdict}\n${pretty(body.toString())}`)
  process.exitCode = status === expected ? 0 : 1
}

/** The reason, and a list of the functions. */
function unknownFunction(name: string | undefined): string {
  const width = Math.max(...rows.map((row) => row.name.length))
  return [
    name === undefined ? 'Name a function.' : `There is no function ${name}.${didYouMean(name)}`,
    `Usage: ${usage}`,
    '',
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.summary}`),
  ].join('\n')
}

function didYouMean(name: string): string {
  const closest = closestNames(
    name,
    rows.map((row) => row.name),
  )
  return closest.length === 0 ? '' : ` Did you mean ${closest.join(' or ')}?`
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

runProgram(main)
