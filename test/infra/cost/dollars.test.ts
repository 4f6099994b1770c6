import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { replaceFigures } from '../../../infra/bench/figures.ts'
import { operations } from '../../../infra/cost/calls.ts'
import { costFigures, costReport } from '../../../infra/cost/costReport.ts'
import { assumptions, dollarsOf, sumOf, unitsOf } from '../../../infra/cost/dollars.ts'
import type { Operation } from '../../../infra/cost/operation.ts'
import { prices } from '../../../infra/cost/prices.ts'

/** A function of 256 MB behind the HTTP API that runs for 1 s, reads 2 items and 1 in a transaction, and writes 1 KB alone and 3 KB in a transaction. */
const operation: Operation = {
  name: 'made up',
  functionName: 'billing-checkout',
  dynamoDb: [
    ['BatchGetItem', 2],
    ['TransactGetItems', 1],
    ['PutItem', 1],
    ['TransactWriteItems', 3],
  ],
  indexWrites: 1,
  kms: { symmetric: 1, asymmetric: 1 },
  stripe: 0,
  logBytes: 1023,
  milliseconds: 1000,
}

/** Dollars a million. */
const millionOf = (given = assumptions, of = operation) =>
  Object.fromEntries(Object.entries(dollarsOf(of, given)).map(([part, dollars]) => [part, dollars * 1e6]))

describe('dollarsOf', () => {
  it('is the sum of what each service charges', () => {
    expect(unitsOf(operation)).toEqual({ reads: 2 + 2 * 1, writes: 1 + 2 * 3 + 1 })
    const given = {
      ...assumptions,
      platformLogBytes: 1,
      accessLogBytes: 0,
      coldStarts: { share: 0.01, milliseconds: 250 },
    }
    const { api, lambda, dynamoDb, kms, logs, traffic } = millionOf(given)
    expect(api).toBeCloseTo(1)
    // With half the share of a processor 8 ms of computing take 16, and a cold start of 250 ms 500.
    expect(lambda).toBeCloseTo(0.2 + 0.25 * 1.013 * 13.3334)
    expect(dynamoDb).toBeCloseTo(4 * 0.125 + 8 * 0.625)
    expect(kms).toBeCloseTo(3 + 3)
    expect(logs).toBeCloseTo(0.477, 3)
    expect(traffic).toBeCloseTo(0.086, 3)
    expect(sumOf(dollarsOf(operation, given)) * 1e6).toBeCloseTo(1 + 3.577 + 5.5 + 6 + 0.477 + 0.086, 2)
  })

  it('charges no API for a function with a URL of its own', () => {
    expect(millionOf(assumptions, { ...operation, functionName: 'stripe-webhook' }).api).toBe(0)
  })

  it('changes in one part with each assumption', () => {
    const changed = (change: Partial<typeof assumptions>) => {
      const [before, after] = [millionOf(), millionOf({ ...assumptions, ...change })]
      return Object.keys(before).filter((part) => before[part] !== after[part])
    }
    expect(changed({ durationFactor: 2 })).toEqual(['lambda'])
    expect(changed({ kmsFactor: 5 })).toEqual(['kms'])
    expect(changed({ itemFactor: 4 })).toEqual(['dynamoDb'])
    // A read of 4 KB takes one unit, and a write four; the index holds keys alone.
    expect(unitsOf(operation, 4)).toEqual({ reads: 4, writes: 4 * 7 + 1 })
  })
})

describe('npm run cost', () => {
  it('has written the figures of infra/runbook/cost.md: npm run cost -- --write', async () => {
    const text = await readFile(new URL('../../../infra/runbook/cost.md', import.meta.url), 'utf8')
    expect(replaceFigures(text, 'cost', costFigures())).toBe(text)
  })

  it('prints every operation, and every price that is not verified', () => {
    const lines = costReport().split('\n')
    for (const { name } of operations) expect(lines.filter((line) => line.startsWith(`${name}  `))).toHaveLength(1)
    const unverified = Object.values(prices).filter(({ verified }) => !verified)
    for (const { unit, source } of unverified) expect(lines).toContain(`  ${unit}: ${source}`)
  })
})
