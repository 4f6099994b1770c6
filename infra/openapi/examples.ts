import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'

const parameters = z.record(z.string(), z.string())

/** @see RecordedExample */
export const recordedExample = z.object({
  request: z.object({
    path: parameters,
    query: parameters,
    contentType: z.optional(z.string()),
    body: z.optional(z.unknown()),
  }),
  response: z.object({ status: z.int(), body: z.optional(z.unknown()) }),
})

/** A sample of a function as it was once sent, and its answer; a body is kept only if it is JSON or, in a request, a form. */
export type RecordedExample = z.infer<typeof recordedExample>

/** An example under the name of its sample, for example `new-card`. */
export interface Example extends RecordedExample {
  readonly name: string
}

/** Examples by their function and the name of their sample. */
export type RecordedExamples = Readonly<Record<string, Readonly<Record<string, RecordedExample>>>>

/** Where the recorded examples are kept. */
export const examplesFile = new URL('examples.json', import.meta.url)

/** What `npm run openapi -- --record` has recorded. */
export async function readExamples(): Promise<RecordedExamples> {
  const recorded = z.record(z.string(), z.record(z.string(), recordedExample))
  return recorded.parse(JSON.parse(await readFile(examplesFile, 'utf8')))
}

/** The examples of a function, in the order of their names. */
export function examplesOf(functionName: string, examples: RecordedExamples): Example[] {
  return Object.entries(examples[functionName] ?? {}).map(([name, example]) => ({ name, ...example }))
}
