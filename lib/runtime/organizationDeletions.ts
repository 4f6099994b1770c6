import type { DeleteOrganizationDeps } from '../organizations/deletion/deleteOrganization.ts'
import type { EraseOrganizationsDeps } from '../organizations/deletion/eraseOrganizations.ts'
import { brandingFromEnvironment } from './branding.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { organizationDeletionsFromEnvironment } from './organizationRestore.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that deleting organizations needs but the gateway. Throws Error where the environment is not complete. */
export function organizationDeletionDepsFromEnvironment(): DeleteOrganizationDeps &
  Omit<EraseOrganizationsDeps, 'customers'> {
  return {
    ...organizationDepsFromEnvironment(),
    deletions: organizationDeletionsFromEnvironment(),
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    logger,
  }
}
