import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { listApprovers, type ResetApprovers } from '../authenticators/recovery/resetApprovers.ts'
import { readFactorReset } from '../authenticators/recovery/resetFactors.ts'
import { scheduleOf, WAIT_MS } from '../authenticators/recovery/resetState.ts'
import type { LinkDeps } from '../users/deps.ts'
import { LinkInvalidError } from '../users/errors.ts'
import { findLink, requireLinkUsed } from '../users/links/accountLinks.ts'
import { mailApprovers } from './mailApprovers.ts'

export type ConfirmFactorResetDeps = RequestFactorResetDeps & LinkDeps

/** A confirmed request: when it takes effect, in Unix milliseconds, and who may shorten the wait. */
export interface ConfirmedReset {
  readonly effectiveAt: number
  readonly approvers: readonly ResetApprovers[]
}

/**
 * Confirms a request to remove lost second factors by the mailed link: they are removed 7 days later. The other owners of the user's
 * organizations are mailed: their approval shortens the wait, its absence never lengthens it.
 * @throws LinkInvalidError, also if the request is void or confirmed; CommonError `service_unavailable`
 */
export async function confirmFactorReset(deps: ConfirmFactorResetDeps, token: string): Promise<ConfirmedReset> {
  const { use, account } = await findLink(deps, { purpose: 'confirm_factor_reset', token })
  const { state, reset } = await readFactorReset(deps, account)
  if (state !== 'unconfirmed' || reset === undefined || reset.id !== use.link.reset) {
    throw new LinkInvalidError('link of no such request', use.link)
  }
  const effectiveAt = use.now + WAIT_MS
  requireLinkUsed(await deps.resets.confirm(use, reset, scheduleOf(effectiveAt, use.now)), use)
  const approvers = await listApprovers(deps, account)
  await mailApprovers(deps, account.user, { approvers, language: reset.language })
  return { effectiveAt, approvers }
}
