import type { Exploration } from './explore.ts'

/** Prints to the log of the tests what was explored, and the shortest trace where there is one. */
export function report(title: string, { states, transitions, depth, violation }: Exploration): void {
  const counts = `${states} states, ${transitions} transitions, depth ${depth}`
  const steps = violation?.trace.map((step, index) => `    ${index + 1}. ${step}\n`).join('') ?? ''
  const outcome = violation ? `${violation.kind}, in ${violation.trace.length} steps` : 'no violation'
  process.stdout.write(`  ${title}: ${counts}: ${outcome}\n${steps}`)
}

/** Bounds in the order of the command line of `exploreDeep.ts`. */
export function boundsText(bounds: object): string {
  return Object.entries(bounds)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')
}
