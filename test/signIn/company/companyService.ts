import { createHash } from 'node:crypto'
import type { Authenticators } from '../../../lib/authenticators/ports.ts'
import { ServiceError } from '../../../lib/core/errors.ts'
import type { Caller, Identity } from '../../../lib/core/identity.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { AuthorizeSubmitDeps } from '../../../lib/oauth/authorize/authorizeSubmit.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import type { RefreshTokens, UserSessions } from '../../../lib/oauth/ports.ts'
import type { TokenDeps } from '../../../lib/oauth/token/tokenRequest.ts'
import { createFactorRules } from '../../../lib/organizations/admission/factorRules.ts'
import { createMemberAdmission } from '../../../lib/organizations/admission/memberAdmission.ts'
import type { CheckDomainsDeps } from '../../../lib/organizations/domains/checkDomains.ts'
import { joinByDomain, joiningAccounts } from '../../../lib/organizations/domains/joinByDomain.ts'
import type { Invitations } from '../../../lib/organizations/ports.ts'
import type { OpenIdClient } from '../../../lib/signIn/ports.ts'
import type { Accounts } from '../../../lib/users/ports.ts'
import { createInMemoryOauthStores } from '../../oauth/tokenFaults/inMemoryOauthStores.ts'
import { createFakeDns } from '../../organizations/domains/fakeDns.ts'
import { createService } from '../recovery/service.ts'
import { createCompaniesInMemory } from './inMemoryCompanies.ts'
import { createIdentitiesInMemory } from './inMemoryIdentities.ts'
import { createScriptedProviders } from './scriptedProviders.ts'

export const ISSUER = 'https://api.console.example.com'
export const REDIRECT_URI = 'https://console.example.com/callback'
export const VERIFIER = 'v'.repeat(43)

/** The application of the operator, in which everybody works. */
export const application: OAuthClient = {
  ...{ clientId: 'console', type: 'confidential', name: 'Console', secretDigests: [] },
  ...{ grantTypes: ['authorization_code', 'refresh_token'], disabled: false, firstParty: true },
  ...{ redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
}

/** Its authorization request, with what a refusal asks for. */
export function requestOf(more: Readonly<Record<string, string>> = {}): string {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const request = {
    client_id: application.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
  }
  return `${new URLSearchParams({ ...request, ...pkce, ...more })}`
}

/** What the use cases stand on. */
export type CompanyParts = ReturnType<typeof createCompaniesInMemory> &
  ReturnType<typeof createIdentitiesInMemory> & {
    readonly openId: OpenIdClient
    readonly accounts: Accounts
    readonly authenticators: Authenticators
    readonly refreshTokens: RefreshTokens
    readonly userSessions: UserSessions
  }

/** What is broken on purpose, to show that it is noticed. */
interface Breakage {
  readonly change?: (parts: CompanyParts) => CompanyParts
  readonly checksAnswers?: boolean
  readonly checksRules?: boolean
}

/** The product's own use cases of companies, over stores in memory and providers that a script runs. */
export function createCompanyService({
  change = (parts) => parts,
  checksAnswers = true,
  checksRules = true,
}: Breakage = {}) {
  const service = createService()
  const { now } = service
  const oauth = createInMemoryOauthStores({ accountOf: service.stateOf })
  const stores = createCompaniesInMemory(service, oauth.refreshTokens.isFamilyRevoked)
  const providers = createScriptedProviders(now, { checks: checksAnswers })
  const dns = createFakeDns()
  const { clock, ids, logger } = service.deps
  const parts = change({
    ...{ ...stores, ...createIdentitiesInMemory(service), openId: providers.openId },
    ...{ accounts: service.deps.accounts, authenticators: service.deps.authenticators },
    ...{ refreshTokens: oauth.refreshTokens, userSessions: oauth.userSessions },
  })

  const admitMember = createMemberAdmission({ clock, admit: async () => {} })
  /** As `organizationsFromEnvironment` composes them. */
  const organizations: typeof parts.organizations = {
    ...parts.organizations,
    async read(organizationId, caller, others) {
      const view = await parts.organizations.read(organizationId, caller, others)
      const isMember = 'userId' in caller && view.roleOf(caller.userId) !== undefined
      if (checksRules) await admitMember(caller, { ...view.organization, ...view, organizationId, isMember })
      return view
    },
  }

  /** As the stores read a caller: with the family of the token. */
  const unrevoked =
    <Found>(find: (caller: Caller) => Promise<Found>) =>
    async (caller: Caller): Promise<Found> =>
      find(await stores.requireUnrevoked(caller))
  const accounts = { ...parts.accounts, findCaller: unrevoked(parts.accounts.findCaller) }
  const joinDeps = { ids, clock, logger, domainMembers: parts.domainMembers }
  const deps = {
    ...service.deps,
    ...parts,
    ...{ sessions: oauth.sessions, codes: oauth.codes, devices: oauth.devices, organizations },
    accounts: joiningAccounts(accounts, joinDeps),
    users: { ...service.deps.users, findCaller: unrevoked(service.deps.users.findCaller) },
    providers: { find: async () => undefined, list: async () => [] },
    addressFirst: parts.companies,
    invitations: { ...unused<Invitations>(), ...service.deps.invitations, find: async () => undefined },
    clients: { find: async (id: string) => (id === application.clientId ? application : undefined) },
    consents: unused<AuthorizeSubmitDeps['consents']>(),
    idTokens: { read: async () => undefined },
    factorRules: createFactorRules({ organizations, clock }),
    providerCipher: {
      encrypt: async (_: unknown, secret: string) => secret,
      decrypt: async (_: unknown, text: string) => text,
    },
    joinByDomain: (user: Parameters<typeof joinByDomain>[1]) => joinByDomain(joinDeps, user),
    findAddressFault: async () => undefined,
    lookUpTxt: dns.lookUpTxt,
    signer: { keyId: 'key', algorithm: 'RS256', sign: async () => 'signature' } satisfies TokenDeps['signer'],
    apiClients: { noteUse: async () => {} },
    redirectPolicy: 'development' as const,
    ...{ issuer: ISSUER, audience: ISSUER },
  }
  return {
    ...{ deps, providers, dns, now, wait: service.wait, stores },
    places: service.places,
    stateOf: service.stateOf,
    /** For the weekly checks, which no rule of an organization concerns. */
    checkDeps: { ...deps, organizations: stores.organizations } satisfies CheckDomainsDeps,
    /** The same over the deps of companies, for `openBrowser` of stories without companies. */
    asService: { ...service, deps: { ...service.deps, sessions: oauth.sessions } },
    register: service.register,
    found(...owners: readonly UserId[]) {
      const id = service.found(...owners)
      stores.found(id)
      return id
    },
  }
}

export type CompanyService = ReturnType<typeof createCompanyService>

/** A port that nothing in these stories calls. */
function unused<Port extends object>(): Port {
  const call = (_: object, name: string | symbol) => () => {
    throw new Error(`${String(name)} is not in these stories`)
  }
  return new Proxy<Port>(Object.create(null), { get: call })
}

/** The caller that an access token of the service names. Its signature is no part of these stories. */
export function identityIn(accessToken: string): Identity {
  const [, payload = ''] = accessToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { sub, client_id: clientId, scope, first_party: isFirstParty, sid: familyId, rev: securityRev } = claims
  const { auth_time, amr: methods, new_factor_until: until, idle: idleSeconds, sso } = claims
  return {
    ...{ userId: userIdSchema.parse(sub), clientId, scope, isFirstParty, familyId, securityRev },
    authentication: {
      ...{ at: auth_time * 1000, methods },
      ...(until !== undefined && { newFactorUntil: until * 1000 }),
      ...(idleSeconds !== undefined && { idleSeconds }),
      ...(sso !== undefined && { sso: organizationIdSchema.parse(sso) }),
    },
  }
}

/** What came of a request: `served`, or the code of the refusal. */
export async function outcomeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return 'served'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}
