import type { OAuthClients } from '../../oauth/ports.ts'
import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, requireMembership } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { requirePermission } from '../permissions.ts'
import type { Organizations, SignInRules, SignInRulesRecords } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { requireRulesMet } from './requireRulesMet.ts'
import { toSignInRulesResource } from './signInRulesResource.ts'

/** The rules to change: null removes a rule, and a rule that is left out stays. */
export type SignInRulesChange = { readonly [Rule in keyof SignInRules]?: SignInRules[Rule] | null | undefined }

export interface ChangeSignInRulesDeps extends AuditDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly signInRules: SignInRulesRecords
  readonly clients: OAuthClients
}

/** `unknown_client`: at `index` of `allowedClients` is no third-party client. */
type ChangedRules =
  | { readonly kind: 'changed'; readonly rules: SignInRules }
  | { readonly kind: 'unknown_client'; readonly index: number }

/**
 * Changes the sign-in rules of an organization. Writes nothing if they stay the same. The owner must meet the new rules at once, also those
 * that begin later, and still has the second factor when they are written: so no owner locks the owners out.
 * @param request `precondition` gets the current rules and throws to refuse
 * @throws OrganizationError `organization_not_found`, `forbidden`, `second_factor_required`; StepUpError; what `precondition` throws
 */
export async function changeSignInRules(
  deps: ChangeSignInRulesDeps,
  request: OrganizationRequest & {
    change: SignInRulesChange
    precondition?: ((rules: SignInRules) => void) | undefined
  },
): Promise<ChangedRules> {
  const { organizationId, caller, change, precondition } = request
  return retryOnConflict(async () => {
    const view = await deps.organizations.read(organizationId, caller)
    const { organization, role } = requireMembership(view, caller.userId)
    requirePermission(role, 'manage organization')
    const from = organization.signInRules ?? {}
    precondition?.(from)
    const to = changed(from, change)
    if (areSame(from, to)) return { kind: 'changed', rules: from }
    const index = await findUnknownClient(deps, change.allowedClients ?? [])
    if (index >= 0) return { kind: 'unknown_client', index }
    // Two factors at the company's provider are not enough here: the owner must get in without it.
    if (to.secondFactorFrom !== undefined && !view.callerHasSecondFactor)
      throw new OrganizationError('second_factor_required')
    const ruled = { ...organization, organizationId, signInRules: asOfNow(to) }
    requireRulesMet(ruled, caller, { ...view, now: deps.clock.now() })
    const detail = toSignInRulesResource(to)
    const done = { action: 'organization.sign_in_rules_changed', target: organizationId, detail } as const
    const write = { by: caller, from, to, entry: entryBy(deps, request, done) }
    const outcome = await deps.signInRules.replace(organizationId, write)
    return outcome === 'written' ? { kind: 'changed', rules: to } : outcome
  })
}

function changed(from: SignInRules, change: SignInRulesChange): SignInRules {
  const given = Object.entries(change).filter(([, rule]) => rule !== undefined)
  const rules = Object.entries({ ...from, ...Object.fromEntries(given) }).filter(([, rule]) => rule !== null)
  return Object.fromEntries(rules)
}

function areSame(...rules: [SignInRules, SignInRules]): boolean {
  const [one, other] = rules.map((each) => JSON.stringify(toSignInRulesResource(each)))
  return one === other
}

/** The rules as if those of a later date applied now. */
function asOfNow(rules: SignInRules): SignInRules {
  return rules.secondFactorFrom === undefined ? rules : { ...rules, secondFactorFrom: 0 }
}

/** The place of the first id that is not a third-party client's; -1 if there is none. */
async function findUnknownClient({ clients }: Pick<ChangeSignInRulesDeps, 'clients'>, ids: readonly string[]) {
  const found = await Promise.all(ids.map((id) => clients.find(id)))
  return found.findIndex(
    (client) => client === undefined || client.firstParty === true || !client.grantTypes.includes('authorization_code'),
  )
}
