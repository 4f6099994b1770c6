import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { productAt } from '../../data/catalog.ts'
import { manifest } from '../../manifest.ts'

const parameters = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** What a sample says of its event; `sampleEvent` adds the rest. `events/README.md` explains each member. */
const sample = z.strictObject({
  /** The status of the function's answer; 200 if a scheduled function does not fail. */
  expect: z.int(),
  as: z.enum(['owner', 'billing_admin', 'member', 'stranger', 'new_user', 'service', 'anonymous']).optional(),
  request: z.templateLiteral([z.string(), ' /', z.string()]).optional(),
  path: z.record(z.string(), z.string()).optional(),
  query: parameters.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  form: parameters.optional(),
  release_check: z.literal(true).optional(),
})

export type Sample = z.infer<typeof sample>

/**
 * The samples of a function by their names, each with the members under `*` that it does not have itself.
 * @throws an Error when `events/<function>.json` is missing or ill-formed
 */
export function samplesOf(functionName: string): Readonly<Record<string, Sample>> {
  const file = `events/${functionName}.json`
  const { '*': shared, ...own }: Record<string, object> = JSON.parse(
    withProducts(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')),
  )
  const whole = Object.entries(own).map(([name, members]) => [name, { ...shared, ...members }])
  const { data, error } = z.record(z.string(), sample).safeParse(Object.fromEntries(whole))
  if (error) throw new Error(`${file}:\n${z.prettifyError(error)}`)
  return data
}

/** Replaces `{{product.2}}` and `{{plan.2}}` by the codes of the second product on sale; `last` is a position too. */
function withProducts(text: string): string {
  return text.replaceAll(/\{\{(product|plan)\.(\d+|last)\}\}/g, (_, kind: string, position: string) => {
    const { product, planCode } = productAt(position === 'last' ? position : Number(position))
    return kind === 'plan' ? planCode : product
  })
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
