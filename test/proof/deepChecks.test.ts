import { describe, expect, it } from '@jest/globals'
import { deepChecks } from './deepChecks.ts'

describe('The nightly checks', () => {
  it('count every judge of the Stripe emulator, also if its name has a space', () => {
    const check = deepChecks.find(({ name }) => name === 'stripe-judges')
    const output = [
      "judge Stripe's OpenAPI file API `2026-08-26.dahlia`: 2881 answers of 143 operations, 0 mismatches",
      'judge stripe-node 23.1.0, API `2026-10-28.endive`: passes',
      'SKIPPED: stripe-java, for mvn is not installed',
      'judge stripe trigger: FAILED fatal: unable to access',
    ].join('\n')
    expect(check?.count(output)).toEqual({ cases: 3, findings: 1 })
  })
})
