import type { Branding } from '../core/branding.ts'
import type { Ids } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { ReadInvitationDeps } from '../organizations/invitations/readInvitation.ts'
import type { LinkDeps } from '../users/deps.ts'
import { linkDepsFromEnvironment } from './accountLinks.ts'
import { brandingFromEnvironment } from './branding.ts'
import { logger } from './logger.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that showing the pages of links and account forms needs: they only read. Throws Error where the environment is not complete. */
export function accountPageDepsFromEnvironment(): LinkDeps &
  ReadInvitationDeps & { branding: Branding; ids: Ids; logger: Logger } {
  return {
    ...organizationDepsFromEnvironment(),
    ...linkDepsFromEnvironment(),
    branding: brandingFromEnvironment(),
    logger,
  }
}
