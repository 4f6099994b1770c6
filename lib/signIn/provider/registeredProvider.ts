import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { domainOfAddress } from '../../organizations/domains/domainName.ts'
import type { CompanyProviders, RegisteredProvider, SignInProviders } from './ports.ts'

export interface FindProviderDeps {
  readonly providers: Pick<SignInProviders, 'find'>
  readonly companies: Pick<CompanyProviders, 'find'>
}

/**
 * The provider with this id, of an operator or of a company. The id of an organization is always that of its single sign-on.
 * @throws CommonError `service_unavailable`
 */
export async function findProvider(
  { providers, companies }: FindProviderDeps,
  id: string,
): Promise<RegisteredProvider | undefined> {
  const organizationId = organizationIdSchema.safeParse(id).data
  if (organizationId !== undefined) return companies.find(organizationId)
  const provider = await providers.find(id)
  return provider && { ...provider, owner: 'operator' }
}

/** The organization whose single sign-on the provider is; undefined for an operator's. */
export function companyOf({ owner }: Pick<RegisteredProvider, 'owner'>): OrganizationId | undefined {
  return owner === 'operator' ? undefined : owner
}

/**
 * Whether a provider may sign in a person with this address. A company's speaks only for verified addresses at the domains that the company has
 * verified now; so it opens no account of other people, and ends with the domain. Only this function decides it.
 */
export function speaksFor(
  { domains }: Pick<RegisteredProvider, 'domains'>,
  { email, isVerified }: { readonly email: string | undefined; readonly isVerified: boolean },
): boolean {
  if (domains === undefined) return true
  const domain = email === undefined ? undefined : domainOfAddress(email)
  return isVerified && domain !== undefined && domains.includes(domain)
}
