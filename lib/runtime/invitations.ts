import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import type { InviteDeps } from '../organizations/invitations/inviteMember.ts'
import { brandingFromEnvironment } from './branding.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that inviting a member needs. In a file of its own, so that other functions do not bundle the SDK of SES. */
export function inviteDepsFromEnvironment(): InviteDeps {
  return {
    ...organizationDepsFromEnvironment(),
    mailBudgets: createMailBudgets(documents, accountsTable()),
    mailer: mailerFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}
