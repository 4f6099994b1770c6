import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { approvalAsked } from '../authenticators/mails.ts'
import type { ResetApprovers } from '../authenticators/recovery/resetApprovers.ts'
import type { Language } from '../core/language.ts'
import type { Mail } from '../mail/mailer.ts'
import { approvalUrl } from '../mail/securityUrl.ts'
import { notifyOthers } from '../users/mailBudget.ts'
import type { User } from '../users/ports.ts'

/**
 * Mails each owner once, in their own language, a link to the page that approves the user's request, while the user's mails to others last.
 * Never throws: owners can open the page without the mail, and the removal does not depend on it.
 * @param request `language`: of an owner who has not signed in yet
 */
export function mailApprovers(
  deps: RequestFactorResetDeps,
  user: User,
  request: { approvers: readonly ResetApprovers[]; language: Language },
): Promise<void> {
  return notifyOthers(deps, user.id, writeMails(deps, user, request))
}

async function writeMails(
  { branding, accountUrl, profiles }: RequestFactorResetDeps,
  user: User,
  { approvers, language: fallback }: { approvers: readonly ResetApprovers[]; language: Language },
): Promise<Mail[]> {
  const owners = approvers.flatMap(({ organization, owners }) => owners.map((owner) => ({ organization, owner })))
  const once = new Map(owners.map((found) => [found.owner.id, found]))
  const found = await profiles.find([...once.keys()])
  return [...once.values()].map(({ organization, owner }) => {
    const look = { branding, language: found.get(owner.id)?.language ?? fallback }
    const link = approvalUrl(accountUrl, { organizationId: organization.id, userId: user.id })
    return approvalAsked(look, { to: owner.email, link, member: user })
  })
}
