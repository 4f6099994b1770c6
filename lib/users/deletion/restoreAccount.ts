import type { ActivityRecorder } from '../../core/activity.ts'
import type { Ids } from '../../core/ids.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import type { LinkDeps } from '../deps.ts'
import { LinkInvalidError } from '../errors.ts'
import { findLink, requireLinkUsed } from '../links/accountLinks.ts'
import type { AccountLink } from '../ports.ts'
import type { AccountDeletions } from './ports.ts'

export interface RestoreDeps extends LinkDeps {
  readonly ids: Pick<Ids, 'uuid'>
  readonly activity: ActivityRecorder
  readonly deletions: Pick<AccountDeletions, 'restore'>
}

/**
 * Restores an account that is being deleted, and the organizations that were deleted with it. The user has to sign in again. Voids every
 * other link. Returns the link.
 * @throws LinkInvalidError, also if the erasure has begun; CommonError `service_unavailable`
 */
export async function restoreAccount(deps: RestoreDeps, token: string): Promise<AccountLink> {
  const { use, account } = await findLink(deps, { purpose: 'restore_account', token })
  const { deletion } = account
  if (deletion === undefined) throw new LinkInvalidError('account is not being deleted', use.link)
  const entries = deletion.organizations.map(
    (organizationId): AuditEntry => ({
      ...{ organizationId, id: deps.ids.uuid(), at: use.now, actor: { type: 'user', id: account.user.id } },
      ...{ action: 'organization.restored', target: organizationId, detail: {} },
    }),
  )
  requireLinkUsed(await deps.deletions.restore(use, deletion, entries), use)
  await deps.activity.record(account.user.id, 'restored')
  return use.link
}
