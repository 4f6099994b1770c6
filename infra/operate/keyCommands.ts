import { resetTotp as resetApps, type TotpReset } from '../../lib/authenticators/recovery/resetTotp.ts'
import { rebindCustomers } from '../../lib/billing/operate/rebindCustomers.ts'
import { organizationOf, type Run, refused, userOf } from './command.ts'

/**
 * `rebind-customers [ORGANIZATION]`: binds customers anew that the customer key does not decrypt. Prints no customer's id. Exits with 2 if a customer
 * is left.
 */
export const rebind: Run = async ([organization], { dryRun, connect }) => {
  const organizationId = organization === undefined ? undefined : organizationOf(organization)
  await connect()
  const { rebindDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const rebound = await rebindCustomers(await rebindDepsFromEnvironment(), organizationId, { dryRun })
  if (rebound.kind === 'refused') return refused('rebind-customers', rebound.why)
  const { readable, customers } = rebound
  if (customers.length > 0) console.table(customers)
  console.log(`${readable} customers are readable, ${customers.length} are not`)
  const counts = Map.groupBy(customers, ({ outcome }) => outcome)
  for (const [outcome, { length }] of counts) console.log(`${outcome}: ${length}`)
  const isDone = customers.every(({ outcome }) => outcome === 'bound anew' || outcome === 'would be bound anew')
  return isDone ? 0 : 2
}

/**
 * `reset-totp [USER] [--before TIME]`: removes all authenticator apps that were set up before now, or before a time, as no key decrypts their secrets.
 * Prints no name or address. Exits with 2 if an app is left.
 */
export const resetTotp: Run = async ([user], { dryRun, before: written, connect }) => {
  const userId = user === undefined ? undefined : userOf(user)
  const given = written === undefined ? undefined : timeOf(written)
  await connect()
  const { operateOnFactorsDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await operateOnFactorsDepsFromEnvironment()
  const before = given ?? deps.clock.now()
  if (!dryRun) console.log(`reset-totp: if it stops, repeat it with --before ${new Date(before).toISOString()}`)
  const rows: TotpReset[] = []
  for await (const row of resetApps(deps, { userId, before }, { dryRun })) {
    rows.push(row)
    console.log(`reset-totp: ${row.userId}: the authenticator app ${said[row.outcome]}`)
  }
  console.log(`${rows.length} authenticator apps were set up before ${new Date(before).toISOString()}`)
  console.log(`${rows.filter(({ passwordAlone }) => passwordAlone).length} of their users have no passkey`)
  if (!dryRun && rows.length > 0) console.log('The users are mailed within a minute.')
  return rows.some(({ outcome }) => outcome === 'changed meanwhile') ? 2 : 0
}

const said = {
  reset: 'was removed',
  'would be reset': 'would be removed',
  'changed meanwhile': 'was not removed, the account was changed meanwhile: repeat it',
} as const satisfies Record<TotpReset['outcome'], string>

function timeOf(written: string): number {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(time)) throw new Error('TIME of --before is like 2026-01-31T12:00:00Z')
  return time
}
