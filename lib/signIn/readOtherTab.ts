import { type LiveSession, readSession } from '../oauth/session/session.ts'
import { emailKey } from '../users/emailKey.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'

/**
 * What another tab of the browser has begun: a sign-in that waits for the second factor, or a session. `other_account`: the session is of another
 * account than the form names.
 */
type OtherTab =
  | { readonly kind: 'pending' }
  | { readonly kind: 'signed_in' | 'other_account'; readonly session: LiveSession }

/**
 * What another tab began after this browser was given a sign-in form. Undefined if the cookie has neither a session nor a pending sign-in.
 * @param secret in the session cookie, which is not the one that the form was made for
 * @param email in the form; empty if the form has none
 * @throws CommonError `service_unavailable`
 */
export async function readOtherTab(deps: PendingDeps, secret: string, email = ''): Promise<OtherTab | undefined> {
  const session = await readSession(deps, secret)
  if (session === undefined) return (await readPendingSignIn(deps, secret)) && { kind: 'pending' }
  const isOther = email !== '' && emailKey(email) !== emailKey(session.user.email)
  return { kind: isOther ? 'other_account' : 'signed_in', session }
}
