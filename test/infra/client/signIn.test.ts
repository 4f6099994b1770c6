import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { NotSignedInError, SignInRefusedError, UnknownSignInError } from '../../../infra/client/src/errors.ts'
import { demoPublicClient } from '../../../infra/data/demo.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { signInAndAllow } from '../../signIn/hosted/walk.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { stackClient } from './stackClient.ts'

const stack = await openLocalStack()

/** A user who has just registered and verified their email address, and their browser. */
async function newUser() {
  const { email } = await signUp(localClient(stack.info))
  return { email, visitor: new Visitor(stack.info.base_url) }
}

describe('A person signs in', () => {
  it('on the hosted pages, comes back to where they were, and signs out', async () => {
    const { email, visitor } = await newUser()
    const { client, tokenStore } = await stackClient(stack)
    await expect(client.getCurrentUser()).rejects.toThrow(NotSignedInError)

    const link = await client.signIn({ returnTo: '/invoices?page=2', parameters: { scope: 'profile' } })
    const callback = await signInAndAllow(visitor, link, email)
    expect(await client.completeSignIn(callback.href)).toEqual({ returnTo: '/invoices?page=2' })
    expect(await client.getCurrentUser()).toMatchObject({ email })

    const tokens = await tokenStore.get()
    const { postLogoutRedirectUri } = demoPublicClient
    const end = new URL((await client.signOut({ postLogoutRedirectUri })) ?? '')
    expect([end.pathname, end.searchParams.get('post_logout_redirect_uri')]).toEqual([
      '/api/oauth/logout',
      postLogoutRedirectUri,
    ])
    expect(await client.isSignedIn()).toBe(false)
    // Revoked at the server too, not only forgotten here.
    if (tokens !== undefined) await tokenStore.set({ ...tokens, expiresAt: 0 })
    await expect(client.getCurrentUser()).rejects.toThrow(NotSignedInError)
  })

  it('and stays signed in where the answer to a refresh is lost on the way', async () => {
    const { email, visitor } = await newUser()
    const refreshed: string[] = []
    const { client, tokenStore } = await stackClient(stack, undefined, async (input, init) => {
      const response = await fetch(input, init)
      if (!String(init?.body).includes('grant_type=refresh_token')) return response
      refreshed.push(await response.clone().text())
      if (refreshed.length === 1) throw new TypeError('fetch failed')
      return response
    })
    await client.completeSignIn((await signInAndAllow(visitor, await client.signIn(), email)).href)
    for (let time = 0; time < 2; time += 1) {
      const tokens = await tokenStore.get()
      if (tokens !== undefined) await tokenStore.set({ ...tokens, expiresAt: 0 })
      expect(await client.getCurrentUser()).toMatchObject({ email })
    }
    const tokensOf = (answer = '') => z.object({ refresh_token: z.string() }).parse(JSON.parse(answer)).refresh_token
    const [lost, again, next] = refreshed.map(tokensOf)
    expect(again).toBe(lost)
    expect(next).not.toBe(lost)
  })

  it('and is sent to sign in again where the way back is unknown here, or was used before', async () => {
    const { email, visitor } = await newUser()
    const { client } = await stackClient(stack)
    const callback = await signInAndAllow(visitor, await client.signIn(), email)
    const elsewhere = await stackClient(stack)
    await expect(elsewhere.client.completeSignIn(callback.href)).rejects.toThrow(UnknownSignInError)
    // At once, as a page does that is set up twice.
    const both = [client.completeSignIn(callback.href), client.completeSignIn(callback.href)]
    expect(await Promise.all(both)).toEqual(Array(2).fill({ returnTo: undefined }))
    await expect(client.completeSignIn(callback.href)).rejects.toThrow(UnknownSignInError)
    expect(await client.isSignedIn()).toBe(true)
  })

  it('and learns what was refused', async () => {
    const { client } = await stackClient(stack)
    const link = new URL(await client.signIn({ returnTo: '/cards' }))
    const back = new URL(demoPublicClient.redirectUri)
    back.searchParams.set('state', link.searchParams.get('state') ?? '')
    back.searchParams.set('iss', link.origin)
    back.searchParams.set('error', 'access_denied')
    const refused = await client.completeSignIn(back.href).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SignInRefusedError)
    expect(refused).toMatchObject({ code: 'access_denied', returnTo: '/cards' })
  })

  it('but not by the answer of another server (RFC 9207)', async () => {
    const { email, visitor } = await newUser()
    const { client } = await stackClient(stack)
    const callback = await signInAndAllow(visitor, await client.signIn(), email)
    callback.searchParams.set('iss', 'https://attacker.example.com')
    await expect(client.completeSignIn(callback.href)).rejects.toThrow(/iss/)
    expect(await client.isSignedIn()).toBe(false)
  })
})
