import { OrganizationError } from '../../organizations/errors.ts'
import type { Profiles } from '../../organizations/ports.ts'
import type { ApproveFactorResetDeps, ConnectedProviderDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { readResetToApprove } from '../recovery/approveFactorReset.ts'
import type { SecurityStep, SecurityView } from './securityStep.ts'
import { callerOfVisitor, isRecent, orSignIn, overviewOf, type SecurityVisitor } from './securityVisitor.ts'

export type ShowSecurityDeps = Pick<
  ApproveFactorResetDeps,
  'accounts' | 'authenticators' | 'clock' | 'organizations' | 'resets'
> &
  ConnectedProviderDeps & { readonly profiles: Profiles }

/**
 * A security page. The list works with a session of any age; views that lead to a change ask for a recent sign-in before the user types
 * anything. Writes nothing.
 * @throws CommonError `service_unavailable`
 */
export function showSecurity(
  deps: ShowSecurityDeps,
  visitor: SecurityVisitor,
  view: SecurityView,
): Promise<SecurityStep> {
  return orSignIn(() => show(deps, visitor, view))
}

async function show(deps: ShowSecurityDeps, visitor: SecurityVisitor, view: SecurityView): Promise<SecurityStep> {
  if (view.view === 'overview') return { ...(await overviewOf(deps, visitor)), done: view.done }
  const own = await deps.authenticators.list(visitor.user.id)
  if (!isRecent(visitor, own, deps.clock.now())) return { step: 'sign_in' }
  if (view.view === 'codes') return { step: 'codes', left: own.recoveryCodes?.left }
  if (view.view === 'reset') return showReset(deps, visitor, view)
  if (view.view === 'totp' && own.totp !== undefined) return { step: 'totp' }
  const { list, ...overview } = await overviewOf(deps, visitor)
  const passkey = view.view === 'passkey' ? list.passkeys.find(({ id }) => id === view.id) : undefined
  if (passkey !== undefined) return { step: 'passkey', passkey, name: passkey.name }
  const provider = view.view === 'provider' ? overview.providers.find(({ id }) => id === view.id) : undefined
  if (provider !== undefined) return { step: 'provider', provider }
  return { ...overview, list, problem: 'authenticator_not_found' }
}

async function showReset(
  deps: ShowSecurityDeps,
  visitor: SecurityVisitor,
  request: Extract<SecurityView, { view: 'reset' }>,
): Promise<SecurityStep> {
  try {
    const { userId } = request
    return { step: 'reset', userId, ...(await readResetToApprove(deps, callerOfVisitor(visitor), request)) }
  } catch (error) {
    if (isNoReset(error)) return { step: 'no_reset' }
    throw error
  }
}

/** Gives the same answer if there is no request and if it belongs to another organization. */
export function isNoReset(error: unknown): boolean {
  return error instanceof OrganizationError || (error instanceof AuthenticatorError && error.code === 'reset_not_found')
}
