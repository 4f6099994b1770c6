import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { SignOnRule } from '../../../lib/organizations/ports.ts'
import type { CompanySignOn, CompanySignOns, SignOnWrite } from '../../../lib/organizations/signOn/ports.ts'

/** An organization as its sign-on needs it; a test changes it. */
export interface SignOnOrganization {
  readonly owners: Set<UserId>
  readonly verifiedDomains: Set<string>
  signOn?: SignOnRule
}

/** `CompanySignOns` in memory; the entries that were written are in `entries`. */
export function createSignOnsInMemory() {
  const organizations = new Map<OrganizationId, SignOnOrganization>()
  const signOns = new Map<OrganizationId, CompanySignOn>()
  const entries: SignOnWrite['entry'][] = []
  const asOwner = (organizationId: OrganizationId, { by }: SignOnWrite) => {
    const organization = organizations.get(organizationId)
    return organization?.owners.has(by.userId) ? organization : undefined
  }
  const store: CompanySignOns = {
    find: async (organizationId) => signOns.get(organizationId),
    async put(signOn, write) {
      const organization = asOwner(signOn.organizationId, write)
      if (organization === undefined) return 'conflict'
      if (organization.verifiedDomains.size === 0) return 'domain_required'
      const { breakGlassUserId, ...stored } = signOn
      const breakGlass = breakGlassUserId && { breakGlassUserId }
      signOns.set(signOn.organizationId, { ...stored, ...breakGlass })
      organization.signOn = { isEnforced: signOn.isEnforced, ...breakGlass }
      entries.push(write.entry)
      return 'written'
    },
    async remove(organizationId, write) {
      const organization = asOwner(organizationId, write)
      if (organization === undefined) return 'conflict'
      if (!signOns.delete(organizationId)) return 'none'
      delete organization.signOn
      entries.push(write.entry)
      return 'written'
    },
  }
  return { store, organizations, entries }
}
