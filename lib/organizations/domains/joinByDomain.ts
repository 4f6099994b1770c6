import { createHash } from 'node:crypto'
import { reasonOf } from '../../core/errors.ts'
import type { UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { Accounts, LinkUse } from '../../users/ports.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import type { AuditEntry } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { domainOfAddress } from './domainName.ts'
import type { DomainMembers, DomainOffer } from './ports.ts'

export interface JoinByDomainDeps extends AuditDeps {
  readonly domainMembers: DomainMembers
  readonly logger: Pick<Logger, 'error'>
}

/** The id of an offer, in the form of an invitation's. */
export function offerIdOf({ organization, domain }: DomainOffer): string {
  return createHash('sha256').update(`domain ${domain} ${organization.id}`).digest('base64url')
}

/**
 * The organization that takes a user with this verified address: the owner of its domain, unless the user is a member, was removed, left, or
 * declined. Organizations that people join are offered too: to people whose address was verified before, and if joining failed.
 * @throws CommonError `service_unavailable`
 */
export async function findOffer(
  { domainMembers }: Pick<JoinByDomainDeps, 'domainMembers'>,
  { userId, email }: { userId: UserId; email: string },
): Promise<DomainOffer | undefined> {
  const domain = domainOfAddress(email)
  return domain === undefined ? undefined : domainMembers.find(domain, userId)
}

/** The entry of a user who joins by a domain. */
export function joinedEntry(deps: AuditDeps, { organization }: DomainOffer, userId: UserId): AuditEntry {
  const joined = { action: 'member.joined', target: userId, detail: { role: 'member' } } as const
  return entryBy(deps, { organizationId: organization.id, caller: { userId } }, joined)
}

/**
 * Makes a user, whose address was just verified, a member of the organization that people of its domain join. Never throws: what failed is offered
 * among the invitations.
 */
export async function joinByDomain(deps: JoinByDomainDeps, user: { userId: UserId; email: string }): Promise<void> {
  try {
    await retryOnConflict(async () => {
      const offer = await findOffer(deps, user)
      if (offer?.membership !== 'join') return 'nothing'
      return deps.domainMembers.join(offer, user, joinedEntry(deps, offer, user.userId))
    })
  } catch (error) {
    deps.logger.error('Not joined by domain', { userId: user.userId, reason: reasonOf(error) })
  }
}

/** The same accounts; a user whose address a link verifies joins by its domain. */
export function joiningAccounts(accounts: Accounts, deps: JoinByDomainDeps): Accounts {
  async function follow<Outcome>({ link: { userId, email } }: LinkUse, outcome: Promise<Outcome>): Promise<Outcome> {
    const result = await outcome
    if (result === 'done') await joinByDomain(deps, { userId, email })
    return result
  }
  return {
    ...accounts,
    verifyEmail: (use) => follow(use, accounts.verifyEmail(use)),
    resetPassword: (use, ...to) => follow(use, accounts.resetPassword(use, ...to)),
    changeEmail: (use, formerEmails) => follow(use, accounts.changeEmail(use, formerEmails)),
    undoEmailChange: (use, account) => follow(use, accounts.undoEmailChange(use, account)),
  }
}
