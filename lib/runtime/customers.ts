import type { BackfillDeps } from '../billing/operate/backfillCustomers.ts'
import { reconcileDepsFromEnvironment } from './billing.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that completing customers needs. In a file of its own, so that no function bundles organizations for it. */
export async function backfillDepsFromEnvironment(): Promise<BackfillDeps> {
  const { records, gateways, listing, clock } = await reconcileDepsFromEnvironment()
  const { organizations, users } = organizationDepsFromEnvironment()
  await clock.sync()
  return { records, gateways, listing, clock, organizations, users }
}
