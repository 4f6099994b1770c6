import { createRateLimits } from '../adapters/dynamodb/rateLimitStore.ts'
import type { BillingRecords } from '../billing/slot/ports.ts'
import { principalIdOf } from '../core/identity.ts'
import { requireAdmission } from '../http/security/rateLimit.ts'
import { createMemberAdmission } from '../organizations/admission/memberAdmission.ts'
import type { Organizations } from '../organizations/ports.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'

/** Shared by all reads of a request, so that it counts once. */
const admitMember = createMemberAdmission({
  clock,
  admit: (limit, organizationId) =>
    requireAdmission(
      { clock, logger },
      { limit, rateLimits: createRateLimits(documents, accountsTable()) },
      organizationId,
    ),
})

/** The same organizations; a read for a caller is refused if an operator throttles the organization and its limit is reached. */
export function throttledOrganizations(organizations: Organizations): Organizations {
  return {
    ...organizations,
    async read(organizationId, caller, others) {
      const view = await organizations.read(organizationId, caller, others)
      const isMember = view.roleOf(principalIdOf(caller)) !== undefined
      await admitMember(caller, { organizationId, throttle: view.organization?.throttle, isMember })
      return view
    },
  }
}

/** The same for what was bought. */
export function throttledRecords(records: BillingRecords): BillingRecords {
  return {
    ...records,
    async read(organizationId, caller, products) {
      const billing = await records.read(organizationId, caller, products)
      const isMember = billing.role !== undefined
      await admitMember(caller, { organizationId, throttle: billing.account?.throttle, isMember })
      return billing
    },
  }
}
