import type { Arrival } from '../../core/authentication.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import type { Account, User } from '../../users/ports.ts'

/** Who a provider's secret belongs to. */
export type ProviderOwner = 'operator' | OrganizationId

/** An OpenID provider that an operator offers on the sign-in pages. */
export interface SignInProvider {
  /** In addresses: lower-case letters, digits and hyphens. */
  readonly id: string
  /** As its button says it. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** The client secret as `ProviderSecretCipher` encrypted it. */
  readonly cipher: string
  /** Whether its two factors count as such. */
  readonly trustAcr: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A provider that a sign-in may begin at, with who registered it: an operator, or the owners of an organization for its members. */
export interface RegisteredProvider extends Omit<SignInProvider, 'createdAt'> {
  readonly owner: ProviderOwner
  /** The only domains that it speaks for, as `parseDomainName` writes them; undefined for an operator's, which speaks for all. */
  readonly domains?: readonly string[] | undefined
}

/** The single sign-on of an organization. Its id is the organization's, and its name too. */
export interface CompanyProvider extends RegisteredProvider {
  readonly owner: OrganizationId
  readonly domains: readonly string[]
}

/**
 * The single sign-ons of organizations. None if the organization has no verified domain, or is being deleted. Reads are consistent. Throws
 * CommonError `service_unavailable`.
 */
export interface CompanyProviders {
  find(organizationId: OrganizationId): Promise<CompanyProvider | undefined>
  /** Of the organization that has the domain of an address verified. Reads nothing of accounts. */
  findByAddress(email: string): Promise<CompanyProvider | undefined>
}

/** Throws CommonError `service_unavailable`. */
export interface SignInProviders {
  /** Every provider, sorted by id. */
  list(): Promise<readonly SignInProvider[]>
  find(id: string): Promise<SignInProvider | undefined>
  /** Replaces a provider with the same id. */
  put(provider: SignInProvider): Promise<void>
  /** False if there was none. */
  remove(id: string): Promise<boolean>
}

/** Encrypts client secrets, each bound to its owner. Throws CommonError `service_unavailable`. */
export interface ProviderSecretCipher {
  encrypt(owner: ProviderOwner, secret: string): Promise<string>
  decrypt(owner: ProviderOwner, cipher: string): Promise<string>
}

/** The page that a sign-in leads back to, and its query without `?`. */
export interface ReturnPage {
  readonly page: 'authorize' | 'device' | 'security'
  readonly query: string
}

/**
 * A person as a provider knows them. The pair of issuer and subject is theirs alone, whatever their address is. At the provider of a company it
 * counts for that organization only: the next owner of the company's domain may run the same issuer.
 */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  readonly providerId: string
  /** Whose single sign-on the provider is; undefined for an operator's. */
  readonly organizationId?: OrganizationId | undefined
  /** At the provider, when it was linked. */
  readonly email?: string | undefined
}

/** Who signed in at a provider, and in which session there (`Authentication`). */
export interface ProvenIdentity extends ExternalIdentity {
  readonly ssoSession?: string | undefined
  readonly arrival?: Arrival | undefined
}

/** Two identities with the same key are the same. */
export type IdentityKey = Pick<ExternalIdentity, 'issuer' | 'subject' | 'organizationId'>

/** A browser that was sent to a provider. */
export interface ProviderSignIn {
  readonly providerId: string
  readonly returnTo: ReturnPage
  readonly isFresh: boolean
  /** Unix milliseconds. */
  readonly validUntil: number
  /** Once the provider has answered, if no account has the identity: the user may connect it. */
  readonly proven?: ProvenIdentity | undefined
}

/** Sign-ins under way by the digest of the secret in the browser's cookie. Throws CommonError `service_unavailable`. */
export interface ProviderSignIns {
  /** Also returns an expired sign-in: the caller checks `validUntil`. */
  find(digest: SecretDigest): Promise<ProviderSignIn | undefined>
  begin(digest: SecretDigest, signIn: ProviderSignIn): Promise<void>
  /** Ends it. If callers are concurrent, exactly one gets it, the others get undefined. */
  end(digest: SecretDigest): Promise<ProviderSignIn | undefined>
}

/** Logout tokens that have counted. Throws CommonError `service_unavailable`. */
export interface UsedLogoutTokens {
  isUsed(token: { readonly organizationId: OrganizationId; readonly tokenId: string }): Promise<boolean>
  /** @param until when the token is too old anyway, in Unix milliseconds */
  use(token: { readonly organizationId: OrganizationId; readonly tokenId: string }, until: number): Promise<void>
}

/** The account that an identity leads to, while its password and address are those of the time when it was linked. */
export interface Linked {
  readonly userId: UserId
  /** The account's, 0 if it had none. */
  readonly credentialsRev: number
}

/** Which account an identity leads to. Throws CommonError `service_unavailable`. */
export interface Identities {
  find(identity: IdentityKey): Promise<Linked | undefined>
  /** Links it again if it leads to this account. `taken`: it leads to another. `conflict`: the account has changed since it was read. Nothing was written then. */
  link(account: Account, identity: ExternalIdentity, now: number): Promise<'linked' | 'taken' | 'conflict'>
  /** Stores a new user whose address the provider vouches for, with the identity: both or none. */
  create(user: User, identity: ExternalIdentity): Promise<'created' | 'username_taken' | 'email_taken' | 'taken'>
}
