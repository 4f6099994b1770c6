import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { approvalAsked } from '../authenticators/mails.ts'
import type { ResetApprovers } from '../authenticators/recovery/resetApprovers.ts'
import type { Language } from '../core/language.ts'
import { approvalUrl } from '../mail/securityUrl.ts'
import { notifyOthers } from '../users/mailBudget.ts'
import type { User } from '../users/ports.ts'

/**
 * Mails each owner once a link to the page that approves the user's request, while the user's mails to others last. Never throws: owners can
 * open the page without the mail, and the removal does not depend on it.
 */
export function mailApprovers(
  deps: RequestFactorResetDeps,
  user: User,
  { approvers, language }: { approvers: readonly ResetApprovers[]; language: Language },
): Promise<void> {
  const look = { branding: deps.branding, language }
  const owners = approvers.flatMap(({ organization, owners }) => owners.map((owner) => ({ organization, owner })))
  const once = new Map(owners.map((found) => [found.owner.id, found]))
  const mails = [...once.values()].map(({ organization, owner }) => {
    const link = approvalUrl(deps.accountUrl, { organizationId: organization.id, userId: user.id })
    return approvalAsked(look, { to: owner.email, link, member: user })
  })
  return notifyOthers(deps, user.id, Promise.resolve(mails))
}
