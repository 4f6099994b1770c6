import { afterEach, describe, expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { createConsoleClient } from '../../../infra/client/src/createConsoleClient.ts'
import { NotSignedInError, UserChangedError } from '../../../infra/client/src/errors.ts'
import { memoryStorage, storedTokens, type TokenStore, type Tokens } from '../../../infra/client/src/tokenStore.ts'
import { type ScriptedApi, scriptedApi } from './scriptedApi.ts'

let api: ScriptedApi | undefined
afterEach(() => api?.close())

const key = new TextEncoder().encode('a key that nobody checks the signature with')
const jwt = (claims: Record<string, string>) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key)

/** The tokens of a user, as the server issues them. */
async function tokensOf(sub: string): Promise<Tokens> {
  const [accessToken, idToken] = await Promise.all([jwt({ sub }), jwt({ sub, preferred_username: `name-of-${sub}` })])
  return { accessToken, idToken, expiresAt: Date.now() + 600_000, refreshToken: `refresh-${sub}` }
}

/** A storage that tabs share: each tab hears when another has changed it. */
function sharedStorage() {
  const storage = memoryStorage()
  const tabs: { store: TokenStore; changed: () => void }[] = []
  return (): TokenStore => {
    const own = storedTokens(storage, 'tokens')
    const told = async (change: () => void | Promise<void>) => {
      await change()
      for (const tab of tabs) if (tab.store !== store) tab.changed()
    }
    const store: TokenStore = {
      get: own.get,
      set: (tokens) => told(() => own.set(tokens)),
      clear: () => told(() => own.clear()),
      subscribe: (changed) => void tabs.push({ store, changed }),
    }
    return store
  }
}

/** Two tabs of a browser in which A is signed in, and what each was told. */
async function twoTabs() {
  api = await scriptedApi(() => ({ status: 200, body: { id: 'u', email: 'a@example.com' } }))
  const { baseUrl } = api
  const openStore = sharedStorage()
  const open = () => {
    const told: string[] = []
    const tokenStore = openStore()
    const client = createConsoleClient({
      ...{ baseUrl, tokenStore, clientId: 'console', redirectUri: `${baseUrl}/callback` },
      onSignedOut: (reason) => void told.push(reason),
      onUserChanged: ({ id, name }) => void told.push(`now ${id}, ${name}`),
    })
    return { client, tokenStore, told }
  }
  const [first, second] = [open(), open()]
  await first.tokenStore.set(await tokensOf('A'))
  return { api, first, second }
}

/** The requests that carried a user's token. */
function sentAs({ received }: ScriptedApi, { accessToken }: Tokens): number {
  return received.filter(({ headers }) => headers.authorization === `Bearer ${accessToken}`).length
}

describe('A tab that shows a user', () => {
  it('is told when another user signs in in another tab, and sends nothing as them', async () => {
    const { api, first, second } = await twoTabs()
    await first.client.getCurrentUser()
    const other = await tokensOf('B')
    await second.tokenStore.set(other)
    expect(first.told).toEqual(['now B, name-of-B'])
    await expect(first.client.getCurrentUser()).rejects.toThrow(UserChangedError)
    await expect(first.client.deleteCurrentUser()).rejects.toThrow(UserChangedError)
    await expect(first.client.signOut()).rejects.toThrow(UserChangedError)
    expect(sentAs(api, other)).toBe(0)
    expect(await second.tokenStore.get()).toEqual(other)
    await second.client.getCurrentUser()
    expect(sentAs(api, other)).toBe(1)
  })

  it('refuses a call with the tokens of another user, even if the browser told it nothing', async () => {
    const { api, first } = await twoTabs()
    await first.client.getCurrentUser()
    const other = await tokensOf('B')
    // A tab is not told of its own changes.
    await first.tokenStore.set(other)
    await expect(first.client.getCurrentUser()).rejects.toThrow(UserChangedError)
    expect(first.told).toEqual(['now B, name-of-B'])
    expect(sentAs(api, other)).toBe(0)
  })

  it('goes on when the same user signs in once more, or another tab has refreshed', async () => {
    const { api, first, second } = await twoTabs()
    await first.client.getCurrentUser()
    const again = { ...(await tokensOf('A')), refreshToken: 'refresh-again' }
    await second.tokenStore.set(again)
    await first.client.getCurrentUser()
    expect(first.told).toEqual([])
    expect(sentAs(api, again)).toBe(2)
  })

  it('is told when another tab signs out, once', async () => {
    const { first, second } = await twoTabs()
    await Promise.all([first.client.getCurrentUser(), second.client.getCurrentUser()])
    await second.client.signOut()
    await expect(first.client.getCurrentUser()).rejects.toThrow(NotSignedInError)
    expect(first.told).toEqual(['signed_out_elsewhere'])
    expect(second.told).toEqual([])
  })

  it('shows whoever signs in after that', async () => {
    const { first, second } = await twoTabs()
    await first.client.getCurrentUser()
    await second.client.signOut()
    await second.tokenStore.set(await tokensOf('B'))
    await first.client.getCurrentUser()
    expect(first.told).toEqual(['signed_out_elsewhere'])
  })
})
