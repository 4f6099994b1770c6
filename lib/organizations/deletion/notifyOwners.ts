import type { Branding } from '../../core/branding.ts'
import type { Logger } from '../../log/logger.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import type { Organization, Profiles } from '../ports.ts'
import type { DeletionMail } from './mails.ts'
import type { OrganizationDeletions } from './ports.ts'

export interface NotifyDeps {
  readonly deletions: Pick<OrganizationDeletions, 'listMembers'>
  readonly profiles: Profiles
  readonly mailer: Mailer
  readonly logger: Logger
  readonly branding: Branding
}

/**
 * Sends a mail about a deletion to every owner, in the language of the request. If a mail is not accepted, that is logged and the rest
 * proceeds.
 * @throws CommonError `service_unavailable` if the owners cannot be read
 */
export async function notifyOwners(
  deps: NotifyDeps,
  { id, name, deletion }: Organization,
  mailOf: (look: MailLook, mail: DeletionMail) => Mail,
): Promise<void> {
  if (deletion === undefined) return
  const { deletions, profiles, branding } = deps
  const members = await deletions.listMembers(id)
  const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)
  const look = { branding, language: deletion.language }
  for (const { email } of (await profiles.find(owners)).values()) {
    const mail = mailOf(look, { to: email, organizationId: id, organization: name, eraseAfter: deletion.eraseAfter })
    await notify(deps, mail)
  }
}
