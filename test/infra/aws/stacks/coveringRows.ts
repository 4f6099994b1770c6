/** A choice: its name, and how many values it has. */
export interface Choice {
  readonly name: string
  readonly values: number
}

/** A value for each choice, by its index. */
export type Row = readonly number[]

/**
 * Rows in which every combination of values of any `strength` choices occurs. The whole product would have far more rows. Each row takes the
 * first combination that is left, and fills the other choices so that it covers the most of the others.
 */
export function coveringRows(choices: readonly Choice[], strength: number): Row[] {
  const left = new Map(combinations(choices, strength).map((combination) => [keyOf(combination), combination]))
  const rows: Row[] = []
  for (let first = next(left); first; first = next(left)) {
    const row = filled(first, choices, left)
    for (const chosen of subsets(choices.length, strength)) {
      left.delete(keyOf(chosen.map((choice) => [choice, row[choice] ?? 0])))
    }
    rows.push(row)
  }
  return rows
}

/** Pairs of a choice and its value. */
type Combination = readonly (readonly [choice: number, value: number])[]

const keyOf = (combination: Combination) => combination.map(([choice, value]) => `${choice}=${value}`).join(',')
const next = (left: ReadonlyMap<string, Combination>) => left.values().next().value

function filled(first: Combination, choices: readonly Choice[], left: ReadonlyMap<string, Combination>): Row {
  const row = new Map(first)
  const gain = () =>
    [...left.values()].filter((each) => each.every(([choice, value]) => row.get(choice) === value)).length
  for (const [choice, { values }] of choices.entries()) {
    if (row.has(choice)) continue
    const gains = Array.from({ length: values }, (_, value) => {
      row.set(choice, value)
      return gain()
    })
    row.set(choice, gains.indexOf(Math.max(...gains)))
  }
  return choices.map((_, choice) => row.get(choice) ?? 0)
}

function combinations(choices: readonly Choice[], strength: number): Combination[] {
  return subsets(choices.length, strength).flatMap((chosen) =>
    chosen.reduce<Combination[]>(
      (all, choice) =>
        all.flatMap((before) =>
          Array.from({ length: choices[choice]?.values ?? 0 }, (_, value) => [...before, [choice, value] as const]),
        ),
      [[]],
    ),
  )
}

/** The subsets of `size` of the numbers below `count`, in order. */
function subsets(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]]
  return Array.from({ length: Math.max(0, count - from) }, (_, index) => from + index).flatMap((first) =>
    subsets(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  )
}
