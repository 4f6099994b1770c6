import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { approvalAsked } from '../authenticators/mails.ts'
import type { ResetApprovers } from '../authenticators/recovery/resetApprovers.ts'
import { reasonOf } from '../core/errors.ts'
import type { Language } from '../core/language.ts'
import { notify } from '../mail/notify.ts'
import { approvalUrl } from '../mail/securityUrl.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { spendMail } from '../users/mailBudget.ts'
import type { User } from '../users/ports.ts'

/**
 * Mails each owner once a link to the page that approves the user's request, while the user's mails to others last. Never throws: owners can
 * open the page without the mail, and the removal does not depend on it.
 */
export async function mailApprovers(
  deps: RequestFactorResetDeps,
  user: User,
  { approvers, language }: { approvers: readonly ResetApprovers[]; language: Language },
): Promise<void> {
  const look = { branding: deps.branding, language }
  const owners = approvers.flatMap(({ organization, owners }) => owners.map((owner) => ({ organization, owner })))
  const once = new Map(owners.map((found) => [found.owner.id, found]))
  for (const { organization, owner } of once.values()) {
    const link = approvalUrl(deps.accountUrl, { organizationId: organization.id, userId: user.id })
    if (!(await maySend(deps, user))) return
    await notify(deps, approvalAsked(look, { to: owner.email, link, member: user }))
  }
}

async function maySend(deps: RequestFactorResetDeps, { id }: User): Promise<boolean> {
  try {
    await spendMail(deps, [{ kind: 'owners_asked', subject: id }])
    return true
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) deps.logger.error('Mail not sent', { reason: reasonOf(error) })
    return false
  }
}
