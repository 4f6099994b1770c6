import * as openid from 'openid-client'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { type AccountsStack, ISSUER } from '../../support/accountsStack.ts'
import { registerClient, registerUser, SECRET, signInAt } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { fetchFrom } from '../client/stackClient.ts'

export const REDIRECT_URI = 'https://console.example.com/oauth/callback'

/** A client that has found everything by OpenID discovery, and verifies every id_token by the keys that are listed. */
export async function relyingParty(stack: AccountsStack, change: Partial<OAuthClient> = {}) {
  const client = await registerClient(stack, change)
  const aheadBy = Math.round((stack.clock.now() - Date.now()) / 1000)
  const configuration = await openid.discovery(
    new URL(ISSUER),
    client.clientId,
    { [openid.clockSkew]: aheadBy, [openid.clockTolerance]: 30 },
    openid.ClientSecretBasic(SECRET),
    { [openid.customFetch]: fetchFrom(stack) },
  )
  openid.enableNonRepudiationChecks(configuration)
  return { client, configuration }
}

type RelyingParty = Awaited<ReturnType<typeof relyingParty>>

/** An authorization request with a nonce, as openid-client makes it, and what its response is checked with. */
export async function requestOf({ configuration }: RelyingParty, parameters: Readonly<Record<string, string>> = {}) {
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
  const { search } = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  return { search, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } }
}

/** A person at a browser of their own, who has not signed in yet. */
export async function person(stack: AccountsStack) {
  const user = await registerUser(stack)
  return { user, visitor: new Visitor(stack.baseUrl) }
}

type Person = Awaited<ReturnType<typeof person>>

/** Where the browser comes back to after the person has done what the pages ask. */
export async function walk({ user, visitor }: Person, search: string): Promise<URL> {
  let met = await visitor.get(search)
  if (met.status === 200 && met.body.includes('type="password"')) {
    await signInAt(visitor, search, user.email)
    met = await visitor.get(search)
  }
  const answer = met.status === 303 ? met : await visitor.submit(search, met, 'allow')
  if (answer.location === null) throw new Error(`no response to the client: ${answer.status}`)
  return new URL(answer.location)
}

/** From the request to its tokens, each checked as openid-client does. */
export async function signIn(
  party: RelyingParty,
  who: Person,
  parameters: Readonly<Record<string, string>> = {},
  expected: Pick<openid.AuthorizationCodeGrantChecks, 'maxAge'> = {},
) {
  const { search, checks } = await requestOf(party, parameters)
  const callback = await walk(who, search)
  const tokens = await openid.authorizationCodeGrant(party.configuration, callback, {
    ...checks,
    idTokenExpected: true,
    ...expected,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('no id_token')
  return { search, tokens, claims }
}
