/** The resources of a stack: those that moto made, did not make although it knows their type, and does not know. */
export interface DeployedCount {
  readonly deployed: number
  readonly notMade: number
  readonly unknown: number
}

/** The last line of a deployment: how many of how many resources it made, in all stacks. */
export function summaryOf(counts: readonly DeployedCount[]): string {
  const sum = (key: keyof DeployedCount) => counts.reduce((total, count) => total + count[key], 0)
  const [deployed, notMade, unknown] = [sum('deployed'), sum('notMade'), sum('unknown')]
  const why = [...(notMade > 0 ? [`${notMade} were not made`] : []), `moto does not know ${unknown}`]
  return `${deployed} of ${deployed + notMade + unknown} resources were deployed: ${why.join(', ')}.`
}
