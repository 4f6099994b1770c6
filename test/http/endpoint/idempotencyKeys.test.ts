import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createIdempotencyKeys } from '../../../lib/adapters/dynamodb/idempotencyKeyStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { race } from '../../support/race.ts'
import { inMemoryIdempotencyKeys } from './inMemoryIdempotencyKeys.ts'

const { client } = await openDocuments()
const table = tables.accounts.localName
const now = Date.UTC(2026, 10, 20, 8)
const DAY = 24 * 3600 * 1000
const answer = { status: 201, headers: { etag: '"a"' }, body: { id: 'x', none: null } }
const use = (leaseUntil = now + 30_000, bodyDigest = 'body') => ({ bodyDigest, resourceId: randomUUID(), leaseUntil })

const stores = { DynamoDB: createIdempotencyKeys(client, table), memory: inMemoryIdempotencyKeys() }

describe.each(Object.entries(stores))('Idempotency keys in %s', (_, keys) => {
  // [catch writeItem.updateItem]
  it('are begun by exactly one of many callers at once', async () => {
    const key = randomUUID()
    const begun = await race(() => keys.begin(key, use(), now))
    const [held, ...others] = begun.filter((one) => one !== undefined)
    expect(others).toEqual([])
    expect(await keys.find(key, now)).toEqual(held)
  })

  it('are begun by all of many callers without a lease, with one id', async () => {
    const key = randomUUID()
    const begun = await race(() => keys.begin(key, use(now), now))
    expect(new Set(begun.map((held) => held?.resourceId)).size).toBe(1)
    expect(begun).not.toContain(undefined)
  })

  it('have the stored answer, and are not begun again', async () => {
    const key = randomUUID()
    const held = use()
    expect(await keys.begin(key, held, now)).toEqual(held)
    await keys.complete(key, held, answer)
    await keys.complete(key, held, { ...answer, status: 202 })
    await keys.release(key, held)
    expect(await keys.find(key, now)).toEqual({ ...held, answer })
    expect(await keys.begin(key, use(now + 90_000), now + 60_000)).toBeUndefined()
  })

  it('are begun again with the same id once the lease has ended, and by one caller', async () => {
    const key = randomUUID()
    const held = use()
    await keys.begin(key, held, now)
    expect(await keys.begin(key, use(), now + 29_999)).toBeUndefined()
    const later = now + 30_000
    const begun = await Promise.all([1, 2, 3].map(() => keys.begin(key, use(later + 30_000), later)))
    expect(begun.filter((one) => one !== undefined)).toEqual([{ ...held, leaseUntil: later + 30_000 }])
  })

  it('are begun again at once after a release, which does not end the lease of another execution', async () => {
    const key = randomUUID()
    const held = use()
    await keys.begin(key, held, now)
    await keys.release(key, { ...held, leaseUntil: now + 1 })
    expect(await keys.begin(key, use(), now)).toBeUndefined()
    await keys.release(key, held)
    expect(await keys.begin(key, use(), now)).toEqual(held)
  })

  it('are not begun with another body', async () => {
    const key = randomUUID()
    const held = use(now)
    await keys.begin(key, held, now)
    expect(await keys.begin(key, use(now + 30_000, 'other'), now)).toBeUndefined()
    expect(await keys.find(key, now)).toEqual(held)
  })

  it('are new after 24 h, whatever was stored', async () => {
    const key = randomUUID()
    const held = use()
    await keys.begin(key, held, now)
    await keys.complete(key, held, answer)
    expect(await keys.find(key, now + DAY - 1)).toMatchObject({ answer })
    expect(await keys.find(key, now + DAY)).toBeUndefined()
    const next = use(now + DAY + 30_000, 'other')
    expect(await keys.begin(key, next, now + DAY)).toEqual(next)
    expect(await keys.find(key, now + DAY)).toEqual(next)
  })
})

describe('The item of an idempotency key', () => {
  it('expires after 24 h', async () => {
    const key = randomUUID()
    await createIdempotencyKeys(client, table).begin(key, use(), now)
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table }))
    const item = Items.find(({ pk }) => String(pk).endsWith(key))
    expect(item?.[tables.accounts.timeToLiveAttribute]).toBe((now + DAY) / 1000)
  })
})
