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

/** A sample event of a function as it was once sent, and its answer; a body is kept only if it is JSON or, in a request, a form. */
export type RecordedExample = z.infer<typeof recordedExample>

/** An example under the name of its sample event: `new-card` of `billing-checkout.new-card.json`. */
export interface Example extends RecordedExample {
  readonly name: string
}

/** Examples by the file name of their sample event. */
export type RecordedExamples = Readonly<Record<string, RecordedExample>>

/** Where the recorded examples are kept. */
export const examplesFile = new URL('examples.json', import.meta.url)

/** What `npm run openapi -- --record` has recorded. */
export async function readExamples(): Promise<RecordedExamples> {
  return z.record(z.string(), recordedExample).parse(JSON.parse(await readFile(examplesFile, 'utf8')))
}

/** The examples of a function, in the order of their names. */
export function examplesOf(functionName: string, examples: RecordedExamples): Example[] {
  return Object.entries(examples)
    .filter(([file]) => file.startsWith(`${functionName}.`))
    .map(([file, example]) => ({ name: exampleName(file), ...example }))
}

/** The name of an example from the file name of its sample event. */
export function exampleName(file: string): string {
  return file.split('.').slice(1, -1).join('.') || 'default'
}
