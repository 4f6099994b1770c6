import { describe, expect, it } from '@jest/globals'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { windowAt } from '../../../lib/http/security/rateLimit.ts'

const rows: readonly FunctionRow[] = manifest
/** What is open to the world and asks a store: the others answer from memory. */
const asksStore = rows.filter(({ trigger, tables }) => trigger.kind === 'http' && Object.keys(tables).length > 0)

describe('The rate limits of the manifest', () => {
  it('are there for every function of the HTTP API that asks a store, and for no other', () => {
    const limited = rows.filter(({ rateLimit }) => rateLimit !== undefined)
    expect(limited.map(({ name }) => name)).toEqual(asksStore.map(({ name }) => name))
  })

  it.each(asksStore)('are enforceable for $name: it may count in the table `accounts`', ({ tables }) => {
    expect(tables.accounts).toContain('UpdateItem')
  })

  it('fail closed where a client’s secret could be guessed, and nowhere else', () => {
    const refusing = rows.filter(({ rateLimit }) => rateLimit?.failMode === 'closed')
    expect(refusing.map(({ name }) => name)).toEqual(
      asksStore.filter(({ caller }) => caller === 'client').map(({ name }) => name),
    )
  })
})

describe('The windows of a limit', () => {
  const limit = { requests: 1, windowSeconds: 60 }
  const start = Date.UTC(2026, 10, 20, 8, 0, 0)

  it.each([
    [0, 0],
    [59_999, 0],
    [60_000, 60],
    [-1, -60],
  ])('follow each other without a gap: %d ms from a full minute', (milliseconds, startsAfter) => {
    const startsAt = start / 1000 + startsAfter
    expect(windowAt(limit, start + milliseconds)).toEqual({ startsAt, endsAt: startsAt + 60 })
  })
})
