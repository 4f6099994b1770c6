import { describe, expect, it } from '@jest/globals'
import * as openid from 'openid-client'
import { demoClient, demoPublicClient } from '../../../infra/data/demo.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { oauth4webapi } from '../../clients/oauth/oauth4webapi.ts'
import { openidClient } from '../../clients/oauth/openidClient.ts'
import { signInOnce } from '../../clients/oauth/signInOnce.ts'
import { textOf } from '../../oauth/authorize/page.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { signInAndAllow, signOut } from './walk.ts'

const stack = await openLocalStack()
const client = localClient(stack.info)

const clients = [
  { kind: 'confidential', ...demoClient },
  { kind: 'public', clientSecret: '', ...demoPublicClient },
] as const

describe.each(clients)('A person signs in from a $kind client', (registered) => {
  // [asvs 10.1.2]
  it.each([openidClient, oauth4webapi])('with $name, until it revokes its tokens', (library) =>
    signInOnce(library, client, registered),
  )

  it('with openid-client, until they sign out', async () => {
    const { clientId, clientSecret, redirectUri, postLogoutRedirectUri } = registered
    const { email } = await signUp(client)
    const visitor = new Visitor(stack.info.base_url)
    const authentication = clientSecret === '' ? openid.None() : openid.ClientSecretBasic(clientSecret)
    const configuration = await openid.discovery(new URL(stack.info.base_url), clientId, {}, authentication, {
      execute: [openid.allowInsecureRequests],
    })
    const link = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    })
    await signInAndAllow(visitor, link.href, email)
    const parameters = { post_logout_redirect_uri: postLogoutRedirectUri, state: 'out' }
    const end = openid.buildEndSessionUrl(configuration, parameters)
    expect(await signOut(visitor, end.href)).toBe(`${postLogoutRedirectUri}?state=out`)
    expect(textOf((await visitor.get(link.search)).body)).toMatch(/^Sign in/)
  })
})
