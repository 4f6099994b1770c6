import { describe, expect, it } from '@jest/globals'
import { disableClient, enableClient } from '../../../lib/oauth/client/disableClient.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { type Registered, refusal, register, requestToken, signIn } from '../token/tokenRequests.ts'
import { askAboutToken } from './askAboutToken.ts'

const stack = useAccountsStack()

const disable = ({ credentials }: Registered) => disableClient(stack(), credentials.client_id)
const enable = ({ credentials }: Registered) => enableClient(stack(), credentials.client_id)

async function callApi(token: string): Promise<number> {
  const response = await fetch(`${stack().baseUrl}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
  return response.status
}

const asked = async (by: Registered, token: string) =>
  (await askAboutToken(stack(), 'introspect', { ...by.credentials, token })).body

/** A resource server, which may ask about the tokens of every client. */
async function registerResourceServer(): Promise<Registered> {
  const registered = await register(stack())
  const client = await stack().clients.find(registered.credentials.client_id)
  if (client) await stack().clients.put({ ...client, introspectsAnyToken: true })
  return registered
}

describe('A client that is disabled', () => {
  // [threat 30.7a]
  it('has no access token that the API takes, and none of its tokens is active, from then on', async () => {
    const [client, server] = [await register(stack()), await registerResourceServer()]
    const { tokens } = await signIn(stack(), client)
    expect(await callApi(tokens.access_token)).toBe(200)
    expect((await disable(client)).ended).toBe(1)
    expect(await callApi(tokens.access_token)).toBe(401)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await asked(server, token)).toEqual({ active: false })
    }
  })

  // [threat 30.7a]
  it('keeps its old tokens dead when it is enabled again, and gets new ones', async () => {
    const client = await register(stack())
    const { refresh, tokens } = await signIn(stack(), client)
    await disable(client)
    await enable(client)
    expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    expect(await callApi(tokens.access_token)).toBe(401)
    const later = await signIn(stack(), client)
    expect(await callApi(later.tokens.access_token)).toBe(200)
    expect((await requestToken(stack(), later.refresh)).status).toBe(200)
  })

  it('ends no grant of another client', async () => {
    const [client, other] = [await register(stack()), await register(stack())]
    const { refresh } = await signIn(stack(), other)
    expect((await disable(client)).ended).toBe(0)
    expect((await requestToken(stack(), refresh)).status).toBe(200)
  })

  it('has no active token even before its grants are ended', async () => {
    const [client, server] = [await register(stack()), await registerResourceServer()]
    const { tokens } = await signIn(stack(), client)
    const stored = await stack().clients.find(client.credentials.client_id)
    if (stored) await stack().clients.put({ ...stored, disabled: true })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await asked(server, token)).toEqual({ active: false })
    }
  })

  // [threat 30.7a]
  it('loses at the enabling what was granted while it was being disabled', async () => {
    const client = await register(stack())
    await disable(client)
    // A token request that found the client enabled stores its family after the grants were listed.
    const stored = await stack().clients.find(client.credentials.client_id)
    if (stored) await stack().clients.put({ ...stored, disabled: false })
    const { refresh } = await signIn(stack(), client)
    if (stored) await stack().clients.put({ ...stored, disabled: true })
    expect((await enable(client)).ended).toBe(1)
    expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
  })

  it('ends the rest of its grants when the command failed and is repeated', async () => {
    const client = await register(stack())
    const signedIn = []
    for (let count = 0; count < 3; count += 1) signedIn.push(await signIn(stack(), client))
    let left = 1
    const failing = {
      ...stack(),
      refreshTokens: {
        revokeFamily: async (family: { familyId: string; now: number }) => {
          left -= 1
          if (left < 0) throw new Error('the store is unavailable')
          await stack().refreshTokens.revokeFamily(family)
        },
      },
    }
    await expect(disableClient(failing, client.credentials.client_id)).rejects.toThrow('unavailable')
    await disable(client)
    for (const { refresh, tokens } of signedIn) {
      expect(await callApi(tokens.access_token)).toBe(401)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_client'))
    }
  })
})
