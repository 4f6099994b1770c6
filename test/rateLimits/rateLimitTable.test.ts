import { describe, expect, it } from '@jest/globals'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'
import { windowAt } from '../../lib/http/rateLimit.ts'
import { rateLimitTable } from '../../lib/http/rateLimitTable.ts'

const rows: readonly FunctionRow[] = manifest
/** The functions of the HTTP API that call a store: the others answer from memory. */
const limited = rows.filter(({ trigger, tables }) => trigger.kind === 'http' && Object.keys(tables).length > 0)

describe('The table of rate limits', () => {
  it('has a row for every function of the HTTP API that calls a store, and no other', () => {
    expect(Object.keys(rateLimitTable).sort()).toEqual(limited.map(({ name }) => name).sort())
  })

  it.each(limited)('is enforceable for $name: it may count in the table `accounts`', ({ tables }) => {
    expect(tables.accounts).toContain('UpdateItem')
  })

  it('fails closed where a client’s secret could be guessed, and open everywhere else', () => {
    const refusing = Object.entries(rateLimitTable).filter(([, { failMode }]) => failMode === 'closed')
    expect(refusing.map(([name]) => name)).toEqual(
      limited.filter(({ caller }) => caller === 'client').map(({ name }) => name),
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
