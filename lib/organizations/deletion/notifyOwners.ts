import type { Branding } from '../../core/branding.ts'
import type { UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'
import { notify } from '../../mail/notify.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import { type MailBudgetDeps, notifyOthers } from '../../users/mailBudget.ts'
import type { Organization, Profiles } from '../ports.ts'
import type { DeletionMail } from './mails.ts'
import type { OrganizationDeletions } from './ports.ts'

export interface NotifyDeps extends MailBudgetDeps {
  readonly deletions: Pick<OrganizationDeletions, 'listMembers'>
  readonly profiles: Profiles
  readonly mailer: Mailer
  readonly logger: Logger
  readonly branding: Branding
}

/**
 * Sends a mail about a deletion to every owner, in their language. If a mail is not accepted, that is logged and the rest proceeds.
 * @param by the user whose budget of mails the request uses; `system` for what a schedule does, once for each deletion
 * @throws CommonError `service_unavailable` if the owners cannot be read
 */
export async function notifyOwners(
  deps: NotifyDeps,
  { id, name, deletion }: Organization,
  { by, mailOf }: { by: UserId | 'system'; mailOf: (look: MailLook, mail: DeletionMail) => Mail },
): Promise<void> {
  if (deletion === undefined) return
  const { deletions, profiles, branding } = deps
  const members = await deletions.listMembers(id)
  const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)
  const mails = [...(await profiles.find(owners)).values()].map(({ email: to, language = deletion.language }) =>
    mailOf({ branding, language }, { to, organizationId: id, organization: name, eraseAfter: deletion.eraseAfter }),
  )
  if (by !== 'system') return notifyOthers(deps, by, Promise.resolve(mails))
  for (const mail of mails) await notify(deps, mail)
}
