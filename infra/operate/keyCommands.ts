import { rebindCustomers } from '../../lib/billing/operate/rebindCustomers.ts'
import { organizationOf, type Run } from './command.ts'

/**
 * `rebind-customers [ORGANIZATION]`: binds customers anew that the customer key does not decrypt. Prints no customer's id. Exits with 2 if a customer
 * is left.
 */
export const rebind: Run = async ([organization], { dryRun, connect }) => {
  const organizationId = organization === undefined ? undefined : organizationOf(organization)
  await connect()
  const { rebindDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const rebound = await rebindCustomers(await rebindDepsFromEnvironment(), organizationId, { dryRun })
  if (rebound.kind === 'refused') {
    console.error(`rebind-customers refused: ${rebound.why}`)
    return 2
  }
  const { readable, customers } = rebound
  if (customers.length > 0) console.table(customers)
  console.log(`${readable} customers are readable, ${customers.length} are not`)
  const counts = Map.groupBy(customers, ({ outcome }) => outcome)
  for (const [outcome, { length }] of counts) console.log(`${outcome}: ${length}`)
  const isDone = customers.every(({ outcome }) => outcome === 'bound anew' || outcome === 'would be bound anew')
  return isDone ? 0 : 2
}
