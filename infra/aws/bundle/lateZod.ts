import { asFunction, member, openPart } from './openPart.ts'

/** What a late value is in truth. */
const makers = new WeakMap<object, () => unknown>()

/** The methods of schemas that return a schema. What else is asked of one needs it made. */
const chained = new Set(
  `and array brand catch catchall check default describe extend extract exclude int length loose max meta min nonempty nonnegative
  exactOptional nullable nullish omit optional or partial pick pipe positive prefault readonly refine regex required safeExtend startsWith strict
  superRefine toLowerCase transform trim`.split(/\s+/),
)

/**
 * The exports of zod, by name, as if they were imported. A schema is made when it first parses something, or something of it is asked for
 * but another schema; then zod itself is read and evaluated, too. So a start makes none, and a function only those that its requests need.
 * @param file the part with zod, beside the module at the URL `base`
 * @throws what the part throws, at the first use
 */
export function lateZod(file: string, base: string): (name: string) => object {
  const part = openPart(file, base)
  return (name) => lateExport(() => part.exported(name), part.isLoaded)
}

/** A function that makes schemas, a class of zod's, or an object of such functions, as `z.iso`. */
function lateExport(real: () => object, isLoaded: () => boolean): object {
  const late = new Proxy(function late() {}, {
    apply: (_, __, args) => lateSchema(() => call(real(), undefined, args)),
    construct: (_, args) => Reflect.construct(asFunction(real()), args),
    get(_, key) {
      // A value is an instance of what is not loaded only where it is not made, either.
      if (key === Symbol.hasInstance) {
        return (value: object) => (isLoaded() || isLate(value)) && Reflect.get(real(), key).call(real(), value)
      }
      return lateExport(() => member(real(), key), isLoaded)
    },
  })
  makers.set(late, real)
  return late
}

function lateSchema(make: () => object): object {
  let made: object | undefined
  const bound = new Map<PropertyKey, unknown>()
  const real = (): object => {
    made ??= make()
    return made
  }
  const late = new Proxy(
    {},
    {
      get(_, key) {
        if (made === undefined && typeof key === 'string' && chained.has(key)) {
          return (...args: readonly unknown[]) => lateSchema(() => call(member(real(), key), real(), args))
        }
        if (bound.has(key)) return bound.get(key)
        const value = Reflect.get(real(), key)
        if (typeof value !== 'function') return value
        // What is parsed is passed on as it is; only what makes another schema may be given late ones.
        const makes = typeof key === 'string' && chained.has(key)
        const method = makes ? (...args: readonly unknown[]) => call(value, real(), args) : value.bind(real())
        bound.set(key, method)
        return method
      },
      has: (_, key) => Reflect.has(real(), key),
      getPrototypeOf: () => Reflect.getPrototypeOf(real()),
    },
  )
  makers.set(late, real)
  return late
}

function isLate(value: unknown): boolean {
  return typeof value === 'object' && value !== null && makers.has(value)
}

/** Calls a function of zod's with schemas for late ones, which would be slower inside of others. */
function call(made: object, self: unknown, args: readonly unknown[]) {
  return Reflect.apply(asFunction(made), self, args.map(resolved))
}

function resolved(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const made = makers.get(value)
  if (made !== undefined) return made()
  if (Array.isArray(value)) return value.map(resolved)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner)]))
}
