import { eraseCustomer } from '../billing/customer/eraseCustomer.ts'
import type { EraseOrganizationsDeps } from '../organizations/deletion/eraseOrganizations.ts'
import { reconcileDepsFromEnvironment } from './billing.ts'
import { organizationDeletionDepsFromEnvironment } from './organizationDeletions.ts'

/** Everything that erasing organizations needs. In a file of its own, so that other functions do not bundle the gateway. */
export async function eraseOrganizationsDepsFromEnvironment(): Promise<EraseOrganizationsDeps> {
  const billing = await reconcileDepsFromEnvironment()
  return {
    ...organizationDeletionDepsFromEnvironment(),
    customers: { eraseCustomer: (organizationId) => eraseCustomer(billing, organizationId) },
  }
}
