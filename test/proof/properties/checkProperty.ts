import fc from 'fast-check'

const runs = Number(process.env.PROPERTY_RUNS ?? 100)
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_121)

/**
 * Checks a property on 100 values, the same in every run; `PROPERTY_RUNS` and `PROPERTY_SEED` ask for more and for others, as the nightly
 * check does.
 * @throws Error with the smallest counterexample found and the seed that leads to it
 */
export function checkProperty<Values>(property: fc.IProperty<Values>): void {
  fc.assert(property, { numRuns: runs, seed })
}
