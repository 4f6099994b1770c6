import type { ActivityRecorder } from '../../core/activity.ts'
import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import type { Accounts } from '../ports.ts'

/**
 * Ends every session and token of the user at once, including the caller's, and voids the links in earlier mails.
 * @throws CommonError `invalid_token`; `service_unavailable`, also if the account changes at the same time
 */
export async function signOutEverywhere(
  {
    accounts,
    activity,
  }: { readonly accounts: Pick<Accounts, 'findCaller' | 'endGrants'>; readonly activity: ActivityRecorder },
  caller: Caller,
): Promise<void> {
  const account = await accounts.findCaller(caller)
  if ((await accounts.endGrants(account)) === 'conflict')
    throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
  await activity.record(caller.userId, 'session_ended')
}
