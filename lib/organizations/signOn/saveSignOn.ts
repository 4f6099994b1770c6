import type { AddressFault } from '../../core/requestFault.ts'
import { RefusedUrlError } from '../../events/errors.ts'
import type { ProviderSecretCipher } from '../../signIn/provider/ports.ts'
import { entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import type { CompanySignOn } from './ports.ts'
import type { ChangeSignOnDeps } from './signOnDeps.ts'

export interface SaveSignOnDeps extends ChangeSignOnDeps {
  readonly providerCipher: Pick<ProviderSecretCipher, 'encrypt'>
  /** Why an address cannot be asked; undefined if it can. Never throws. */
  readonly findAddressFault: (url: string) => Promise<AddressFault | undefined>
}

/** What an owner chooses of a single sign-on. */
export interface SignOnSettings extends Pick<CompanySignOn, 'issuer' | 'clientId' | 'isEnforced' | 'trustAcr'> {
  /** Left out: the stored secret stays, if issuer and client id stay too. */
  readonly clientSecret?: string | undefined
}

export type SavedSignOn =
  | { readonly kind: 'saved'; readonly signOn: CompanySignOn }
  /** A new issuer or client id needs its secret. */
  | { readonly kind: 'secret_required' }

/**
 * Stores the single sign-on of an organization, or replaces it. Writes nothing if everything stays the same. An owner who enforces it is its
 * break-glass owner from then on. The provider is asked for nothing: it may be down.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `domain_required`; RefusedUrlError of `issuer`; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export function saveSignOn(
  deps: SaveSignOnDeps,
  request: OrganizationRequest & { readonly settings: SignOnSettings },
): Promise<SavedSignOn> {
  const { organizationId, caller: by, settings } = request
  return retryOnConflict(async () => {
    const { organization } = await readAuthorized(deps.organizations, request, 'manage organization')
    await requireUsableIssuer(deps, settings.issuer)
    const before = await deps.signOns.find(organizationId)
    const kept = keptCipher(before, settings)
    if (kept === undefined && settings.clientSecret === undefined) return { kind: 'secret_required' }
    if (organization.verifiedDomains === undefined) throw new OrganizationError('domain_required')
    const { clientSecret, ...chosen } = settings
    const breakGlass = settings.isEnforced ? { breakGlassUserId: by.userId } : {}
    const after = { organizationId, ...chosen, ...breakGlass }
    const changed = changedMembers(before, after, clientSecret)
    if (before !== undefined && changed.length === 0) return { kind: 'saved', signOn: before }
    const cipher =
      clientSecret === undefined ? (kept ?? '') : await deps.providerCipher.encrypt(organizationId, clientSecret)
    const signOn = { ...after, cipher, updatedAt: deps.clock.now() }
    const detail = { issuer: signOn.issuer, requirement: requirementOf(signOn), changed }
    const entry = entryBy(deps, request, { action: 'sso.updated', target: organizationId, detail })
    const outcome = await deps.signOns.put(signOn, { by, entry })
    if (outcome === 'domain_required') throw new OrganizationError('domain_required')
    return outcome === 'written' ? { kind: 'saved', signOn } : outcome
  })
}

/**
 * An issuer is an address without query and fragment (OpenID Connect Discovery 1.0 §3). Its host may be without an address now: name servers fail,
 * and each request to it checks the address again.
 */
async function requireUsableIssuer({ findAddressFault }: SaveSignOnDeps, issuer: string): Promise<void> {
  const fault = /[?#]/.test(issuer) ? 'not_an_issuer' : await findAddressFault(issuer)
  if (fault === undefined) return
  if (fault !== 'not_resolved') throw new RefusedUrlError(fault, 'issuer')
  if (!/^https:/i.test(issuer)) throw new RefusedUrlError('not_https', 'issuer')
}

/** The secret belongs to the client at the issuer: another issuer never gets it. */
function keptCipher(before: CompanySignOn | undefined, { issuer, clientId }: SignOnSettings): string | undefined {
  return before?.issuer === issuer && before.clientId === clientId ? before.cipher : undefined
}

/** The members of the API that differ. A secret that was sent counts as another. */
function changedMembers(
  before: CompanySignOn | undefined,
  after: Omit<CompanySignOn, 'cipher' | 'updatedAt'>,
  clientSecret: string | undefined,
): string[] {
  const members = {
    issuer: before?.issuer !== after.issuer,
    client_id: before?.clientId !== after.clientId,
    client_secret: clientSecret !== undefined,
    enforced: before?.isEnforced !== after.isEnforced,
    trust_acr: before?.trustAcr !== after.trustAcr,
    break_glass_user_id: before?.breakGlassUserId !== after.breakGlassUserId,
  }
  return Object.entries(members).flatMap(([member, differs]) => (differs ? [member] : []))
}

function requirementOf({ isEnforced }: Pick<CompanySignOn, 'isEnforced'>): 'required' | 'optional' {
  return isEnforced ? 'required' : 'optional'
}
