import { readdirSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { manifest } from '../../manifest.ts'

const eventsFolder = new URL('../../../events/', import.meta.url)

/** The status of the function's answer; 200 if a scheduled function does not fail. */
const expectation = { '//expect': z.number().int() }
const storedEvent = z.union([
  z.looseObject({
    ...expectation,
    version: z.literal('2.0'),
    headers: z.record(z.string(), z.string()),
    requestContext: z.looseObject({ requestId: z.string() }),
    body: z.string().optional(),
  }),
  z.looseObject({ ...expectation, version: z.literal('0'), 'detail-type': z.literal('Scheduled Event') }),
  z.looseObject({ ...expectation, release_check: z.literal(true) }),
])

/** An event with its placeholders, and the status of its answer. */
interface Sample {
  readonly event: unknown
  readonly expect: number
}

/** The samples of a function by their names, in alphabetical order. */
export function samplesOf(functionName: string): Readonly<Record<string, Sample>> {
  const ofFunction = new RegExp(`^${functionName}\\.([a-z0-9-]+)\\.json$`)
  const names = readdirSync(eventsFolder).flatMap((file) => ofFunction.exec(file)?.[1] ?? [])
  return Object.fromEntries(names.sort().map((name) => [name, readSample(`${functionName}.${name}.json`)]))
}

function readSample(file: string): Sample {
  const stored: unknown = JSON.parse(readFileSync(new URL(file, eventsFolder), 'utf8'))
  const { '//expect': expect, ...event } = storedEvent.parse(stored)
  return { event, expect }
}

/** @throws an Error that lists the function's samples when none has the name */
export function sampleOf(functionName: string, name: string): Sample {
  const samples = samplesOf(functionName)
  const found = samples[name]
  if (found === undefined)
    throw new Error(`${functionName} has no sample ${name}. It has: ${Object.keys(samples).join(', ')}`)
  return found
}

/**
 * The sample to run if the user names none: the row's `served`, or else its `refused`.
 * @throws an Error when the manifest has no such function
 */
export function defaultSample(functionName: string): string {
  const { samples } = manifest.find(({ name }) => name === functionName) ?? {}
  const name = samples?.served ?? samples?.refused
  if (name === undefined) throw new Error(`${functionName} has no sample`)
  return name
}
