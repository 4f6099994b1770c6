import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import type { Accounts } from '../ports.ts'

/**
 * Ends every session and every token of the caller's user, this one too, at once. Voids the links in earlier mails.
 * @throws CommonError `invalid_token`, or `service_unavailable`, also when the account changes at the same time
 */
export async function signOutEverywhere(
  accounts: Pick<Accounts, 'findCaller' | 'endGrants'>,
  caller: Caller,
): Promise<void> {
  const account = await accounts.findCaller(caller)
  if ((await accounts.endGrants(account)) === 'conflict')
    throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
}
