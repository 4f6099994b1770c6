import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createRateLimits } from '../../../lib/adapters/dynamodb/rateLimitStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'

const { client } = await openDocuments()
const table = tables.accounts.localName
const rateLimits = createRateLimits(client, table)
const stored = async () => (await client.send(new ScanCommand({ TableName: table }))).Items ?? []
const window = { functionName: 'oauth-token', principal: '203.0.113.7 console', startsAt: 120, endsAt: 180 }

describe('admit', () => {
  // [catch writeItem.updateItem] [threat 70]
  it('admits exactly the limit of 50 requests at once, and writes nothing for the others', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => rateLimits.admit(window, 20)))
    const left = answers.filter((remaining) => remaining !== undefined)
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(await stored()).toMatchObject([{ admitted: 20 }])
  })

  it('keeps one item for each window, which expires at the window’s end and names neither principal nor source IP', async () => {
    expect(await rateLimits.admit({ ...window, startsAt: 180, endsAt: 240 }, 20)).toBe(19)
    const items = await stored()
    const expiring = items.map((item) => item[tables.accounts.timeToLiveAttribute])
    expect(expiring.sort()).toEqual([180, 240])
    expect(JSON.stringify(items)).not.toMatch(/203\.0\.113|console/)
  })

  it.each([
    ['another principal', { principal: '203.0.113.8 console' }],
    ['another function', { functionName: 'users-me' }],
    ['another window', { startsAt: 240, endsAt: 300 }],
  ])('admits %s, whatever was admitted before', async (_, other) => {
    await Promise.all(Array.from({ length: 20 }, () => rateLimits.admit(window, 20)))
    expect(await rateLimits.admit(window, 20)).toBeUndefined()
    expect(await rateLimits.admit({ ...window, ...other }, 20)).toBe(19)
  })
})
