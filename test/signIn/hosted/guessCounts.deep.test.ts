import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createGuessCounts } from '../../../lib/adapters/dynamodb/guessCountStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import type { GuessCounts, GuessSubject } from '../../../lib/users/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { createRandom } from '../../proof/world/worldTime.ts'
import { inMemoryGuesses } from './simulations/inMemoryGuesses.ts'

const { calls, client: documents } = await openDocuments()
afterEach(() => calls.reset())

const NOW = Date.UTC(2026, 10, 20, 8)
const MINUTE = 60_000
const DAY = 86_400_000
let subjects = 0

/** A subject that nothing was counted for. */
function someone(kind: GuessSubject['kind'] = 'account'): GuessSubject {
  subjects += 1
  return { kind, subject: `someone-${subjects}@example.com` }
}

const inDynamoDb = () => createGuessCounts(documents, tables.accounts.localName)

const AT_ONCE = 20

/** How many of 20 concurrent tries are counted. */
async function admittedAtOnce(counts: GuessCounts, subject: GuessSubject, limit: number, now = NOW): Promise<number> {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => counts.count(subject, { limit, now })))
  return all.filter((outcome) => outcome === 'counted').length
}

/** What is counted for a subject that was counted before, found by asking for room that there is not. */
async function levelOf(counts: GuessCounts, subject: GuessSubject, now = NOW): Promise<number> {
  const outcome = await counts.count(subject, { limit: -1, now })
  return outcome === 'counted' ? 0 : outcome.level
}

describe.each([
  ['in memory', inMemoryGuesses],
  ['in DynamoDB', inDynamoDb],
])('Counts of tried passwords, %s', (_, create) => {
  it('admit as many tries as there is room for, and say how many are counted then', async () => {
    const [counts, subject] = [create(), someone()]
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await counts.count(subject, { limit: 3, now: NOW })).toBe('counted')
    }
    expect(await counts.count(subject, { limit: 3, now: NOW })).toEqual({ level: 3 })
    expect(await counts.count(someone(), { limit: 3, now: NOW })).toBe('counted')
  })

  // [threat 15.2d]
  it('fade to 1/e within a day, whatever comes of it, over every landmark', async () => {
    const [counts, subject] = [create(), someone()]
    for (let day = 0; day < 20; day += 1) {
      const now = NOW + day * DAY
      while ((await counts.count(subject, { limit: 10, now })) === 'counted');
      const level = await levelOf(counts, subject, now)
      expect(level).toBeGreaterThan(9)
      expect(level).toBeLessThanOrEqual(10)
      expect(await levelOf(counts, subject, now + DAY)).toBeCloseTo(level / Math.E, 1)
    }
  })

  it('without what is taken back are as if it had never been counted', async () => {
    const [counts, subject, other] = [create(), someone('address'), someone()]
    await counts.count(subject, { limit: 10, now: NOW })
    await counts.count(subject, { limit: 10, now: NOW + DAY })
    await counts.count(other, { limit: 10, now: NOW + DAY })
    await counts.takeBack({ tries: [subject, other], at: NOW + DAY })
    expect(await levelOf(counts, subject, NOW + DAY)).toBeCloseTo(1 / Math.E, 2)
    expect(await counts.count(other, { limit: 1, now: NOW + DAY })).toBe('counted')
  })

  it('take back the failures of what succeeds, each as it has faded, once', async () => {
    const [counts, address, failures] = [create(), someone('address'), someone('account_at_address')]
    for (const now of [NOW, NOW + DAY]) {
      for (const subject of [address, failures, address]) await counts.count(subject, { limit: 10, now })
    }
    const at = NOW + DAY + MINUTE
    for (let success = 0; success < 2; success += 1) {
      await counts.count(address, { limit: 10, now: at })
      await counts.takeBack({ tries: [address], at, failures: { of: failures, from: address } })
    }
    expect(await levelOf(counts, address, NOW + DAY)).toBeCloseTo(1 + 1 / Math.E, 2)
    expect(await counts.count(failures, { limit: 1, now: at })).toBe('counted')
  })
})

describe('Counts in DynamoDB', () => {
  it('are those of the policy, for any sequence', async () => {
    const random = createRandom(26)
    const [stored, expected] = [inDynamoDb(), inMemoryGuesses()]
    const [address, failures] = [someone('address'), someone('account_at_address')]
    let now = NOW
    for (const counts of [stored, expected]) await counts.count(address, { limit: 4, now })
    for (let step = 0; step < 150; step += 1) {
      now += Math.floor(random() * 6 * 3_600_000)
      const subject = random() < 0.6 ? address : failures
      const outcomes = await Promise.all([stored, expected].map((counts) => counts.count(subject, { limit: 4, now })))
      expect(typeof outcomes[0]).toBe(typeof outcomes[1])
      if (subject === address && outcomes[0] === 'counted' && random() < 0.3) {
        const success = { tries: [address], at: now, failures: { of: failures, from: address } }
        await Promise.all([stored, expected].map((counts) => counts.takeBack(success)))
      }
      const [level = 0, wanted = 0] = await Promise.all([stored, expected].map((one) => levelOf(one, address, now)))
      expect(level).toBeCloseTo(wanted, 6)
    }
  })

  // [asvs 6.3.1 15.4.2] [threat 15.2c]
  it('admit no more than there is room for, of 20 tries at once', async () => {
    const [counts, subject] = [inDynamoDb(), someone()]
    expect(await admittedAtOnce(counts, subject, 7)).toBe(7)
    expect(await admittedAtOnce(counts, subject, 7)).toBe(0)
    expect(await admittedAtOnce(counts, subject, 7, NOW + DAY)).toBe(4)
  })

  it('take failures back once, of 4 successes at once', async () => {
    const [counts, address, failures] = [inDynamoDb(), someone('address'), someone('account_at_address')]
    const limit = 100
    for (const subject of [address, address, address, failures, failures])
      await counts.count(subject, { limit, now: NOW })
    const success = { tries: [address], at: NOW, failures: { of: failures, from: address } }
    for (let attempt = 0; attempt < 4; attempt += 1) await counts.count(address, { limit, now: NOW })
    await Promise.allSettled(Array.from({ length: 4 }, () => counts.takeBack(success)))
    // Three were there, of which two are forgiven; a success that met others three times may stay counted.
    const level = await levelOf(counts, address)
    expect(level).toBeGreaterThanOrEqual(1)
    expect(level).toBeLessThanOrEqual(5)
    expect(Math.round(level)).toBeCloseTo(level, 6)
  })

  it('subtract once where the answer was lost, and count a try at least once', async () => {
    const [counts, subject] = [inDynamoDb(), someone()]
    calls.fail({ operation: 'UpdateItem', times: 1, kind: 'drop_after' })
    await counts.count(subject, { limit: 10, now: NOW })
    expect(await levelOf(counts, subject)).toBe(2)
    calls.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    await counts.takeBack({ tries: [subject], at: NOW })
    expect(await levelOf(counts, subject)).toBe(1)
  })

  it('expire after 8 days without a try', async () => {
    const subject = { kind: 'account', subject: 'expires@example.com' } as const
    await inDynamoDb().count(subject, { limit: 1, now: NOW })
    const { Items = [] } = (await documents.send(new ScanCommand({ TableName: tables.accounts.localName }))) ?? {}
    const expiries = Items.map(({ expiresAt }) => expiresAt)
    expect(expiries).toContain(NOW / 1000 + 8 * 24 * 3600)
    expect(JSON.stringify(Items)).not.toContain('example.com')
  })
})
