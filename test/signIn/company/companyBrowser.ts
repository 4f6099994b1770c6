import { type AuthorizeStep, authorize } from '../../../lib/oauth/authorize/authorize.ts'
import { digestRequest } from '../../../lib/oauth/authorize/authorizeParameters.ts'
import { authorizeSubmit } from '../../../lib/oauth/authorize/authorizeSubmit.ts'
import { readSession } from '../../../lib/oauth/session/session.ts'
import { exchangeAuthorizationCode } from '../../../lib/oauth/token/exchangeAuthorizationCode.ts'
import { refreshTokenGrant } from '../../../lib/oauth/token/refreshTokenGrant.ts'
import type { IssuedTokens, TokenRequest } from '../../../lib/oauth/token/tokenRequest.ts'
import { beginProviderSignIn } from '../../../lib/signIn/provider/beginProviderSignIn.ts'
import { connectProvider, showConnection } from '../../../lib/signIn/provider/connectProvider.ts'
import { finishProviderSignIn } from '../../../lib/signIn/provider/finishProviderSignIn.ts'
import { type SignInStep, submitSignIn } from '../../../lib/signIn/submitSignIn.ts'
import { codeOf } from '../recovery/fakeCeremonies.ts'
import { application, type CompanyService, REDIRECT_URI, VERIFIER } from './companyService.ts'
import type { Assertion } from './scriptedProviders.ts'

const from = { userAgent: 'Mozilla/5.0', language: 'en' } as const

/** Who sits at a browser: what they can show. */
export interface Holder {
  readonly email: string
  readonly password: string | undefined
  /** The secret of an authenticator app. */
  readonly secret: string | undefined
}

type Step = 'signed_in' | 'pending' | 'refused'

/** A browser: all that it has is its cookies. */
export function openCompanyBrowser({ deps, providers, now, wait }: CompanyService, sourceIp: string) {
  let secret = deps.ids.secret()
  let providerSecret: string | undefined
  let knownBrowser: string | undefined

  function keep(step: SignInStep): Step {
    if (step.step !== 'signed_in' && step.step !== 'pending') return 'refused'
    secret = step.session.started
    knownBrowser = step.session.knownBrowser?.value ?? knownBrowser
    return step.step
  }

  /** A code of an authenticator app counts once. */
  async function showFactor({ secret: app }: Holder, query: string): Promise<Step> {
    if (app === undefined) return 'pending'
    const show = async () => {
      const proof = codeOf(app, now())
      const form = { action: 'second_factor', factor: 'totp', proof, knownBrowser, ...from } as const
      return keep(await submitSignIn(deps, { secret, signedInFor: digestRequest(query) }, form))
    }
    if ((await show()) === 'signed_in') return 'signed_in'
    wait(31_000)
    return show()
  }

  async function signIn(holder: Holder, query = ''): Promise<Step> {
    const { email, password = 'no password' } = holder
    const form = { action: 'login', email, password, sourceIp, knownBrowser, ...from } as const
    const step = keep(await submitSignIn(deps, { secret, signedInFor: digestRequest(query) }, form))
    return step === 'pending' ? showFactor(holder, query) : step
  }

  return {
    session: () => readSession(deps, secret),
    signIn,
    showFactor,
    /** Goes to the provider of a company, and comes back with what whoever runs it says. */
    async signOn(providerId: string, answer: Assertion | 'denied' | ((url: URL) => Assertion), query = '') {
      const begun = await beginProviderSignIn(deps, { providerId, returnTo: { page: 'authorize', query } })
      if (begun.step === 'failed') return begun
      providerSecret = begun.secret
      const url = new URL(begun.url)
      const denial = new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '' })
      const said = typeof answer === 'function' ? answer(url) : answer
      const back = said === 'denied' ? `${denial}` : providers.answer(begun.url, said)
      const returning = { query: back, providerSecret, secret, from: { ...from, cookie: knownBrowser }, digestRequest }
      const step = await finishProviderSignIn(deps, returning)
      if (step.step === 'signed_in' || step.step === 'pending') keep(step)
      return step
    },
    /** Confirms the identity that the provider has just named, after a sign-in if the page asks for one. */
    async connect(holder: Holder): Promise<string> {
      const shown = await showConnection(deps, await readSession(deps, secret), providerSecret)
      if (shown.step === 'sign_in' && (await signIn(holder)) !== 'signed_in') return 'sign_in'
      const sent = { secret: providerSecret, sessionSecret: secret, language: 'en' } as const
      const step = await connectProvider(deps, await readSession(deps, secret), sent)
      if (step.step !== 'connected') return step.step === 'failed' ? step.problem : step.step
      if (step.session !== undefined && step.session !== 'ended') secret = step.session.started
      return 'connected'
    },
    authorize: (query: string): Promise<AuthorizeStep> => authorize(deps, { query, secret }),
    /** Goes on without the second factor that an organization requires. */
    goOn: (query: string): Promise<AuthorizeStep> => authorizeSubmit(deps, { query, secret }, { action: 'continue' }),
    /** Allows what a client asks for. */
    allow: (query: string): Promise<AuthorizeStep> => authorizeSubmit(deps, { query, secret }, { action: 'allow' }),
    /** The page after the address has been typed. */
    enterAddress: (email: string, query: string): Promise<AuthorizeStep> =>
      authorizeSubmit(deps, { query, secret }, { action: 'address', email, knownBrowser, ...from }),
  }
}

export type CompanyBrowser = ReturnType<typeof openCompanyBrowser>

/** The tokens for the code in an answer; undefined if it has none. */
export async function exchangeCode(
  { deps }: CompanyService,
  step: AuthorizeStep,
  client = application,
): Promise<IssuedTokens | undefined> {
  const code = step.step === 'respond' ? new URL(step.location).searchParams.get('code') : null
  if (code === null) return undefined
  return exchangeAuthorizationCode(deps, client, {
    ...request('authorization_code'),
    code,
    codeVerifier: VERIFIER,
  })
}

export function refresh({ deps }: CompanyService, refreshToken: string): Promise<IssuedTokens> {
  return refreshTokenGrant(deps, application, { ...request('refresh_token'), redirectUri: undefined, refreshToken })
}

function request(grantType: string): TokenRequest {
  return { clientId: application.clientId, clientSecret: '', grantType, redirectUri: REDIRECT_URI }
}
