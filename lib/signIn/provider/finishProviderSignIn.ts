import { methodsOf } from '../../authenticators/methodsOf.ts'
import type { Arrival, SignOn } from '../../core/authentication.ts'
import type { UserId } from '../../core/ids.ts'
import { callbackUrl } from '../../core/providerUrls.ts'
import { RECENT_SIGN_IN_SECONDS } from '../../core/stepUp.ts'
import { digestSecret, type SecretDigest } from '../../oauth/secretDigest.ts'
import { readSession, unlessSignedOut } from '../../oauth/session/session.ts'
import { emailKey, emailSchema } from '../../users/emailKey.ts'
import { rememberBrowser } from '../../users/password/knownBrowser.ts'
import type { Account, Accounts } from '../../users/ports.ts'
import {
  continueAfterProvider,
  type SignInSource,
  type SigningBrowser,
  type StartedSignIn,
  type StartSignInDeps,
} from '../continueAfterPassword.ts'
import type { OpenIdClient, ProviderIdentity } from '../ports.ts'
import type { FailedProviderSignIn } from './beginProviderSignIn.ts'
import { createProviderUser } from './newProviderUser.ts'
import type {
  ExternalIdentity,
  Identities,
  ProviderSecretCipher,
  ProviderSignIn,
  ProviderSignIns,
  RegisteredProvider,
  ReturnPage,
} from './ports.ts'
import { secretsOf } from './providerSecrets.ts'
import { type FindProviderDeps, findProvider, speaksFor } from './registeredProvider.ts'
import { arrivalAt, signOnBy } from './signOnBy.ts'

export type FinishProviderDeps = StartSignInDeps &
  FindProviderDeps & {
    readonly accounts: Pick<Accounts, 'find' | 'findByEmail'>
    readonly openId: Pick<OpenIdClient, 'exchange'>
    readonly providerSignIns: ProviderSignIns
    readonly identities: Pick<Identities, 'find' | 'create'>
    readonly providerCipher: Pick<ProviderSecretCipher, 'decrypt'>
    /** Makes a new user a member of the organization that people of the address's domain join. */
    readonly joinByDomain: (user: { readonly userId: UserId; readonly email: string }) => Promise<void>
    /** Of this service. */
    readonly issuer: string
    readonly branding: { readonly name: string }
  }

/** The browser that came back from a provider. */
interface ReturningBrowser {
  /** Of the address that it came back to, without `?`. */
  readonly query: string
  /** In the cookie of its sign-in at a provider. */
  readonly providerSecret: string | undefined
  /** In the session cookie. */
  readonly secret: string
  readonly from: SignInSource
  /** Digests the authorization request that a sign-in answers. */
  readonly digestRequest: (query: string) => SecretDigest
}

export type FinishedProviderSignIn =
  | (StartedSignIn & { readonly returnTo: ReturnPage })
  /** No account has the identity: a page asks which one gets it. */
  | { readonly step: 'connect' }
  | FailedProviderSignIn

/**
 * Finishes a sign-in at a provider, in the browser that began it. The identity leads to its account, whatever the address is now. An identity
 * without an account gets a new account if the provider has verified an address that no account has, and the browser has no session; otherwise the user
 * connects it, after a sign-in to the account. The provider of a company leads only to accounts that it may speak for.
 * @throws CommonError `service_unavailable`
 */
export async function finishProviderSignIn(
  deps: FinishProviderDeps,
  browser: ReturningBrowser,
): Promise<FinishedProviderSignIn> {
  const begun = await takeSignIn(deps, browser)
  if (begun === undefined) return { step: 'failed', problem: 'expired' }
  const { signIn, secret } = begun
  const { returnTo } = signIn
  const provider = await findProvider(deps, signIn.providerId)
  if (provider === undefined) return { step: 'failed', problem: 'unknown_provider', returnTo }
  const failed = { step: 'failed', provider: provider.name, returnTo } as const
  const at = deps.clock.now()
  const proven = await exchange(deps, provider, { ...begun, query: browser.query })
  if (proven.kind === 'refused') {
    const refusal = { provider: provider.id, code: proven.fault, reason: proven.reason }
    deps.logger.info('Sign-in at a provider refused', refusal)
    return { ...failed, problem: proven.fault }
  }
  const { issuer, subject, email } = proven.identity
  const signOn = signOnBy(provider, proven.identity)
  const { sso: organizationId, ssoSession } = signOn
  const arrival = organizationId && arrivalAt(organizationId, { issuer: provider.issuer, subject, ssoSession }, at)
  const identity = { issuer, subject, providerId: provider.id, organizationId, email, ssoSession, arrival }
  const account = await findOrCreate(deps, browser, { provider, identity, claims: proven.identity })
  if (account === 'foreign_address') return { ...failed, problem: account }
  if (account === 'connect') {
    await deps.providerSignIns.begin(digestSecret(secret), { ...signIn, proven: identity })
    return { step: 'connect' }
  }
  if (!account.user.isActive) return { ...failed, problem: 'account_off' }
  const started = start(deps, browser, { account, provider, signIn, claims: proven.identity, signOn, arrival })
  return unlessSignedOut(
    started.then((begun) => ({ ...begun, returnTo })),
    () => ({ step: 'failed', problem: 'expired', returnTo }) as const,
  )
}

/** The sign-in that this browser began, which ends by that: its answer counts once. A link of another site, without its state, ends nothing. */
async function takeSignIn(
  { providerSignIns, clock }: Pick<FinishProviderDeps, 'providerSignIns' | 'clock'>,
  { query, providerSecret: secret }: ReturningBrowser,
): Promise<{ signIn: ProviderSignIn; secret: string } | undefined> {
  if (secret === undefined || new URLSearchParams(query).get('state') !== secretsOf(secret).state) return undefined
  const signIn = await providerSignIns.end(digestSecret(secret))
  if (signIn === undefined || signIn.proven !== undefined) return undefined
  return clock.now() < signIn.validUntil ? { signIn, secret } : undefined
}

async function exchange(
  deps: Pick<FinishProviderDeps, 'openId' | 'providerCipher' | 'issuer'>,
  provider: RegisteredProvider,
  { signIn, secret, query }: { signIn: ProviderSignIn; secret: string; query: string },
) {
  const clientSecret = await deps.providerCipher.decrypt(provider.owner, provider.cipher)
  const callback = `${callbackUrl(deps.issuer)}?${query}`
  const answer = { ...secretsOf(secret), callback, isFresh: signIn.isFresh }
  return deps.openId.exchange({ ...provider, clientSecret }, answer)
}

async function findOrCreate(
  deps: FinishProviderDeps,
  { secret }: Pick<ReturningBrowser, 'secret'>,
  {
    provider,
    identity,
    claims,
  }: { provider: RegisteredProvider; identity: ExternalIdentity; claims: ProviderIdentity },
): Promise<Account | 'connect' | 'foreign_address'> {
  const linked = await deps.identities.find(identity)
  const account = linked && (await deps.accounts.find(linked.userId))
  if (account !== undefined) {
    if (!speaksFor(provider, account.user)) return 'foreign_address'
    // A new password or address disconnects providers: a thief may have connected one.
    return (account.credentialsRev ?? 0) === linked?.credentialsRev ? account : 'connect'
  }
  if (!speaksFor(provider, { email: claims.email, isVerified: claims.isEmailVerified })) return 'foreign_address'
  const { success, data: email } = emailSchema.safeParse(claims.email)
  if (!success || !claims.isEmailVerified) return 'connect'
  if ((await readSession(deps, secret)) !== undefined) return 'connect'
  const holder = await deps.accounts.findByEmail(emailKey(email))
  if (holder?.user.isVerified) return 'connect'
  const user = await createProviderUser(deps, { email, name: claims.name, identity })
  if (user === undefined) return 'connect'
  await deps.joinByDomain({ userId: user.id, email: user.email })
  return (await deps.accounts.find(user.id)) ?? 'connect'
}

/** A sign-in at the provider is a single factor, unless who registered it trusts its two. */
async function start(
  deps: FinishProviderDeps,
  { secret, from, digestRequest }: ReturningBrowser,
  {
    account: { user, securityRev, hasSecondFactor },
    provider,
    signIn: { returnTo },
    claims,
    signOn,
    arrival,
  }: {
    account: Account
    provider: RegisteredProvider
    signIn: ProviderSignIn
    claims: ProviderIdentity
    signOn: SignOn
    arrival: Arrival | undefined
  },
): Promise<StartedSignIn> {
  const hasTwoFactors = provider.trustAcr && claims.hasTwoFactors
  const browser: SigningBrowser = {
    secret,
    signedInFor: returnTo.page === 'authorize' ? digestRequest(returnTo.query) : undefined,
  }
  return continueAfterProvider(deps, browser, {
    user: { id: user.id, email: user.email, securityRev },
    hasSecondFactor: !hasTwoFactors && (hasSecondFactor ?? false),
    authentication: {
      at: signedInAt(claims, deps.clock.now()),
      methods: methodsOf([{ kind: 'provider', hasTwoFactors }]),
      ...signOn,
    },
    arrival,
    from,
    knownBrowser: await rememberBrowser(deps, from.cookie, emailKey(user.email)),
  })
}

/**
 * When a person signed in at a provider, as this service counts it: a sign-in of unknown age is not recent, and older than that is no sign-in
 * counted, because the session begins now.
 */
function signedInAt({ signedInAt: claims }: ProviderIdentity, now: number): number {
  // A minute more: the clocks of two functions may differ.
  const notRecent = now - (RECENT_SIGN_IN_SECONDS + 60) * 1000
  return Math.min(now, Math.max(claims ?? notRecent, notRecent))
}
