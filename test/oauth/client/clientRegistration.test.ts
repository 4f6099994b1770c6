import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import {
  addUri,
  createClient,
  removeUri,
  retireSecret,
  rotateSecret,
} from '../../../lib/oauth/client/clientRegistration.ts'
import { disableClient } from '../../../lib/oauth/client/disableClient.ts'
import type { RedirectPolicy } from '../../../lib/oauth/client/redirectUri.ts'
import type { ClientType } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { racers } from '../../support/race.ts'

const stack = useAccountsStack()
const callback = 'https://console.example.com/callback'
const create = (
  change: {
    clientId?: string
    type?: ClientType
    redirectUris?: string[]
    name?: string
    introspectsAnyToken?: boolean
  } = {},
  redirectPolicy: RedirectPolicy = 'exact',
) =>
  createClient(
    { ...stack(), redirectPolicy },
    {
      name: ' Console ',
      type: 'confidential',
      redirectUris: [callback],
      postLogoutRedirectUris: [],
      ...change,
    },
  )
const refused = { code: 'invalid_request' }

describe('The registration of a client', () => {
  // [asvs 11.5.1]
  it('returns a secret of 256 random bits once, and stores its digest', async () => {
    const { client, secret = '' } = await create()
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(client).toMatchObject({
      name: 'Console',
      type: 'confidential',
      secretDigests: [digestSecret(secret)],
      disabled: false,
    })
    expect(await stack().clients.find(client.clientId)).toEqual(client)
    expect(JSON.stringify(await stack().stored())).not.toContain(secret)
  })

  it('gives a public client no secret', async () => {
    const { client, secret } = await create({ type: 'public' })
    expect([client.secretDigests, secret]).toEqual([[], undefined])
  })

  it('gives the right to introspect every token on request only, never without a secret, and needs no redirect URI for it', async () => {
    expect((await create()).client).not.toHaveProperty('introspectsAnyToken')
    const { client, secret } = await create({ introspectsAnyToken: true, redirectUris: [] })
    expect(client).toMatchObject({ introspectsAnyToken: true, grantTypes: [], redirectUris: [] })
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await stack().clients.find(client.clientId)).toEqual(client)
    const deps = { ...stack(), redirectPolicy: 'exact' } as const
    await expect(addUri(deps, client.clientId, 'redirectUris', callback)).rejects.toMatchObject(refused)
    expect((await create({ introspectsAnyToken: true })).client.grantTypes).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    await expect(create({ introspectsAnyToken: true, type: 'public' })).rejects.toMatchObject(refused)
    await expect(create({ redirectUris: [] })).rejects.toMatchObject(refused)
  })

  it('refuses an id that is taken, and a change of an outdated client', async () => {
    const { client } = await create()
    await expect(create({ clientId: client.clientId })).rejects.toMatchObject(refused)
    await disableClient(stack(), client.clientId)
    expect(await stack().clients.replace(client, { ...client, name: 'Other' })).toBe(false)
    expect(await stack().clients.find(client.clientId)).toMatchObject({ name: 'Console', disabled: true })
  })

  it.each([{ clientId: 'not well-formed' }, { clientId: '' }, { name: ' ' }, { redirectUris: [] }])(
    'refuses %j',
    async (change) => {
      await expect(create(change)).rejects.toMatchObject(refused)
    },
  )

  it.each([
    'http://console.example.com/callback',
    'http://localhost:8080/callback',
    'http://127.0.0.1:8080/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/callback',
    'https://console.example.com/callback#fragment',
    'https://console.example.com/callback#',
    'https://user@console.example.com/callback',
    'https://console.example.com',
    'https://CONSOLE.example.com/callback',
    'https://console.example.com/a/../callback',
    '/callback',
    '',
  ])('refuses the redirect URI %p for a client with a secret (RFC 6749 §3.1.2, RFC 9700 §4.1.3)', async (uri) => {
    await expect(create({ redirectUris: [uri] })).rejects.toMatchObject(refused)
  })

  it.each(['http://127.0.0.1:8080/callback', 'http://[::1]/callback', 'com.example.app:/callback', callback])(
    'takes the redirect URI %p for a public client (RFC 8252 §7.1, §7.3)',
    async (uri) => {
      const { client } = await create({ type: 'public', redirectUris: [uri, uri] })
      expect(client.redirectUris).toEqual([uri])
    },
  )

  it.each([
    'http://localhost/callback',
    'http://127.0.0.1.evil.example.com/',
    'http://127.0.0.1@evil.example.com/',
    'javascript:alert(1)',
    'com.example.app://callback',
    'com.example.app:callback',
    'com.example.app:/callback#fragment',
    'COM.example.app:/callback',
    'exampleapp:/callback',
    'file:/callback',
    'com.:/callback',
  ])('refuses the redirect URI %p for a public client too', async (uri) => {
    await expect(create({ type: 'public', redirectUris: [uri] })).rejects.toMatchObject(refused)
  })

  const onOwnMachine = [
    'http://127.0.0.1:8080/callback',
    'http://[::1]:8080/callback',
    'http://localhost:5173/callback',
  ]

  it.each(['public', 'confidential'] as const)(
    'takes addresses of the own machine for a %s client of a stage for development',
    async (type) => {
      const { client } = await create({ type, redirectUris: onOwnMachine }, 'development')
      expect(client.redirectUris).toEqual(onOwnMachine)
    },
  )

  it.each([
    'http://console.example.com/',
    'http://localhost.evil.example.com/',
    'http://localhost@evil.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('refuses the redirect URI %p of a stage for development too', async (uri) => {
    await expect(create({ type: 'public', redirectUris: [uri] }, 'development')).rejects.toMatchObject(refused)
  })
})

describe('The change of a client', () => {
  it('adds a secret beside the old one, refuses a third, and retires the old one', async () => {
    const { client, secret: first = '' } = await create()
    const { secret: second = '' } = await rotateSecret(stack(), client.clientId)
    const both = { secretDigests: [digestSecret(second), digestSecret(first)] }
    expect(await stack().clients.find(client.clientId)).toMatchObject(both)
    await expect(rotateSecret(stack(), client.clientId)).rejects.toMatchObject(refused)
    for (let time = 0; time < 2; time += 1) {
      expect((await retireSecret(stack(), client.clientId)).secretDigests).toEqual([digestSecret(second)])
    }
  })

  // [threat 69]
  it('lets exactly one of many rotations at once win', async () => {
    const { client } = await create()
    const rotations = Array.from({ length: racers }, () => rotateSecret(stack(), client.clientId))
    const outcomes = await Promise.allSettled(rotations)
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.secret ?? ''] : []))
    expect(won).toHaveLength(1)
    expect((await stack().clients.find(client.clientId))?.secretDigests).toEqual([
      ...won.map(digestSecret),
      ...client.secretDigests,
    ])
  })

  it('adds and removes redirect URIs, but not the last one', async () => {
    const { client } = await create()
    const more = 'https://console.example.com/other'
    expect((await addUri(stack(), client.clientId, 'redirectUris', more)).redirectUris).toEqual([callback, more])
    await expect(addUri(stack(), client.clientId, 'redirectUris', 'javascript:1')).rejects.toMatchObject(refused)
    expect((await removeUri(stack(), client.clientId, 'redirectUris', callback)).redirectUris).toEqual([more])
    await expect(removeUri(stack(), client.clientId, 'redirectUris', more)).rejects.toMatchObject(refused)
  })

  it.each([
    ['an unknown client', () => 'unknown'],
    ['a public one', async () => (await create({ type: 'public' })).client.clientId],
  ])('gives no secret to %s', async (_, clientId) => {
    await expect(rotateSecret(stack(), await clientId())).rejects.toMatchObject(refused)
  })
})

describe('The list of clients', () => {
  it('holds every client and nothing else, by id', async () => {
    const { client } = await create({ clientId: 'zz-last' })
    const clients = await stack().clients.list()
    expect(clients.at(-1)).toEqual(client)
    expect(clients.map(({ clientId }) => clientId)).toEqual(clients.map(({ clientId }) => clientId).toSorted())
  })
})

describe('A client stored before there were public clients', () => {
  it('is confidential with one secret, can be rotated, and is then stored in today’s form', async () => {
    const clientId = stack().ids.uuid()
    const secretDigest = digestSecret('its secret')
    const old = { clientId, secretDigest, grantTypes: ['refresh_token'], redirectUris: [callback] }
    const Item = { pk: `CLIENT#${clientId}`, sk: 'CLIENT', ...old }
    await stack().documents.send(new PutCommand({ TableName: tables.accounts.localName, Item }))
    const since = { type: 'confidential', name: clientId, postLogoutRedirectUris: [], disabled: false }
    const { secretDigest: _, ...rest } = old
    expect(await stack().clients.find(clientId)).toEqual({ ...rest, ...since, secretDigests: [secretDigest] })
    const { client } = await rotateSecret(stack(), clientId)
    expect(client.secretDigests[1]).toBe(secretDigest)
    expect(await stack().clients.find(clientId)).toEqual(client)
    expect((await stack().clients.list()).map((one) => one.clientId)).toContain(clientId)
  })
})
