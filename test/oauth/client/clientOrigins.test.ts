import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createClientOrigins, ORIGINS_KEY } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { addUri, removeUri, rewriteClients } from '../../../lib/oauth/client/clientRegistration.ts'
import { disableClient, enableClient } from '../../../lib/oauth/client/disableClient.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { registerClient } from '../authorize/people.ts'

const stack = useAccountsStack()

const list = () => createClientOrigins(stack().documents, tables.accounts.localName).list(AbortSignal.timeout(5000))
const at = (name: string) => `https://${name}.example.com`

describe('The stored origins of clients', () => {
  it('are none before there is a client', async () => {
    expect(await list()).toEqual([])
  })

  it('follow every write of a client', async () => {
    const redirectUris = [`${at('first')}/callback`]
    const { clientId } = await registerClient(stack(), { redirectUris, postLogoutRedirectUris: [`${at('out')}/`] })
    expect(await list()).toEqual([at('first'), at('out')])
    await addUri(stack(), clientId, 'redirectUris', `${at('second')}/callback`)
    expect(await list()).toEqual([at('first'), at('out'), at('second')])
    await removeUri(stack(), clientId, 'redirectUris', `${at('first')}/callback`)
    expect(await list()).toEqual([at('out'), at('second')])
    await disableClient(stack(), clientId)
    expect(await list()).toEqual([])
    await enableClient(stack(), clientId)
    expect(await list()).toEqual([at('out'), at('second')])
  })

  it('do not follow a write that was refused', async () => {
    const client = await registerClient(stack(), { redirectUris: [`${at('kept')}/`] })
    const other = { ...client, redirectUris: [`${at('refused')}/`] }
    expect(await stack().clients.create(other)).toBe(false)
    expect(await stack().clients.replace({ ...client, disabled: true }, other)).toBe(false)
    expect(await list()).not.toContain(at('refused'))
    expect(await list()).toContain(at('kept'))
  })

  it('are added for a client of before there were any, when all are written again', async () => {
    const { clientId } = await registerClient(stack(), { redirectUris: [`${at('older')}/`] })
    const Key = ORIGINS_KEY
    await stack().documents.send(new DeleteCommand({ TableName: tables.accounts.localName, Key }))
    expect(await list()).toEqual([])
    const client = await stack().clients.find(clientId)
    expect(await rewriteClients(stack())).toBeGreaterThan(0)
    expect(await list()).toContain(at('older'))
    expect(await stack().clients.find(clientId)).toEqual(client)
  })

  it('keep those of every one of 10 clients written at the same time', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`)
    await Promise.all(names.map((name) => registerClient(stack(), { redirectUris: [`${at(name)}/`] })))
    expect(await list()).toEqual(expect.arrayContaining(names.map(at)))
  })
})
