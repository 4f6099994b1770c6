import type { InviteDeps } from '../organizations/inviteMember.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Organizations, and mail. In a file of its own, so that no other function carries the SDK of SES. */
export function inviteDepsFromEnvironment(): InviteDeps {
  return {
    ...organizationDepsFromEnvironment(),
    mailer: mailerFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
  }
}
