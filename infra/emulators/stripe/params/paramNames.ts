import * as z from 'zod'

/** Names of parameters, nested as `a[b]`, in alphabetical order. */
export interface ParamNames {
  /** Those that the emulator takes, the first level only. */
  readonly covered: readonly string[]
  /** Those that Stripe takes and the emulator answers with 501, at every level. */
  readonly uncovered: readonly string[]
}

/** The nested names that a schema answers with 501, noted when the schema is made. */
export const uncoveredNames = z.registry<{ names: readonly string[] }>()

/** The names of an endpoint's parameters. */
export function paramNames(shape: z.core.$ZodShape, uncovered: readonly string[]): ParamNames {
  const nested = Object.entries(shape).flatMap(([name, schema]) => uncoveredIn(schema, name))
  return { covered: Object.keys(shape).sort(), uncovered: [...uncovered, ...new Set(nested)].sort() }
}

/** The nested names that a schema leads to, with their way from `path`. */
function uncoveredIn(schema: z.core.$ZodType, path: string): string[] {
  const own = (uncoveredNames.get(schema)?.names ?? []).map((name) => `${path}[${name}]`)
  return [...own, ...partsOf(schema).flatMap(([part, name]) => uncoveredIn(part, name ? `${path}[${name}]` : path))]
}

/** The parts of a schema, with a name if a part is a member. */
function partsOf(schema: z.core.$ZodType): (readonly [z.core.$ZodType, string?])[] {
  if (schema instanceof z.ZodOptional) return [[schema._zod.def.innerType]]
  if (schema instanceof z.ZodPipe) return [[schema._zod.def.out]]
  if (schema instanceof z.ZodUnion) return schema._zod.def.options.map((option) => [option] as const)
  if (schema instanceof z.ZodArray) return [[schema._zod.def.element, '']]
  if (schema instanceof z.ZodObject)
    return Object.entries(schema._zod.def.shape).map(([name, part]) => [part, name] as const)
  return []
}
