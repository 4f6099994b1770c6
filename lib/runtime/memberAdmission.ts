import { createOrganizationRecords } from '../adapters/dynamodb/organizationStore.ts'
import { createRateLimits } from '../adapters/dynamodb/rateLimitStore.ts'
import type { BillingRecords } from '../billing/slot/ports.ts'
import { principalIdOf } from '../core/identity.ts'
import { requireAdmission } from '../http/security/rateLimit.ts'
import { createMemberAdmission } from '../organizations/admission/memberAdmission.ts'
import { isClientAllowed } from '../organizations/admission/requireRulesMet.ts'
import type { Organizations } from '../organizations/ports.ts'
import { clock } from './clock.ts'
import { accountsTable, allTables, documents } from './dynamodb.ts'
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

/**
 * The organizations in the table `billing`. A read for a caller is refused if it breaks a sign-in rule, or if an operator throttles the
 * organization and its limit is reached. The list leaves out organizations that do not allow the caller's application.
 */
export function organizationsFromEnvironment(): Organizations {
  const organizations = createOrganizationRecords(documents, allTables())
  return {
    ...organizations,
    async read(organizationId, caller, others) {
      const view = await organizations.read(organizationId, caller, others)
      const isMember = view.roleOf(principalIdOf(caller)) !== undefined
      await admitMember(caller, { ...view.organization, ...view, organizationId, isMember })
      return view
    },

    async list(caller) {
      const own = await organizations.list(caller)
      return own.filter(({ organization }) => isClientAllowed(organization.signInRules, caller))
    },
  }
}

/** The same for what was bought. */
export function admittingRecords(records: BillingRecords): BillingRecords {
  return {
    ...records,
    async read(organizationId, caller, products) {
      const billing = await records.read(organizationId, caller, products)
      const isMember = billing.role !== undefined
      await admitMember(caller, { ...billing.account, ...billing, organizationId, isMember })
      return billing
    },
  }
}
