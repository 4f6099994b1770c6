import type { Context } from '../state/context.ts'
import { testCard } from './cards.ts'
import { authenticationRequired, type Decline } from './testCards.ts'

/** The bank's decision about a payment. */
type Authorization = { result: 'approved' } | { result: 'authenticate' } | { result: 'declined'; decline: Decline }

/**
 * The bank's decision. `authenticated`: the buyer has just passed 3-D Secure. An off-session payment that needs authentication is
 * declined with `authentication_required`.
 */
export function authorize(
  context: Context,
  method: string,
  how: { offSession: boolean; authenticated: boolean },
): Authorization {
  const record = context.store.get('cards', method)
  const card = testCard(record?.card ?? 'visa')
  const wantsAuthentication =
    card.authentication === 'always' ||
    (card.authentication === 'on_session' && !how.offSession) ||
    (card.authentication === 'unless_set_up' && !(how.offSession && record?.set_up))
  if (wantsAuthentication && !how.authenticated) {
    return how.offSession ? { result: 'declined', decline: authenticationRequired } : { result: 'authenticate' }
  }
  return card.decline ? { result: 'declined', decline: card.decline } : { result: 'approved' }
}
