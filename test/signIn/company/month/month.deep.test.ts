import { describe, expect, it } from '@jest/globals'
import type { CompanyParts } from '../companyService.ts'
import { type MonthBreakage, playMonth } from './playMonth.ts'

const seed = Number(process.env.COMPANY_SEED ?? 20_261_130)

const changed = (change: (parts: CompanyParts) => Partial<CompanyParts>): MonthBreakage => ({
  change: (parts) => ({ ...parts, ...change(parts) }),
})

const breakages: readonly (readonly [string, MonthBreakage, string])[] = [
  ['rules are not checked', { checksRules: false }, 'request: served, and not insufficient_user_authentication'],
  [
    'a logout ends no tokens',
    changed(({ refreshTokens }) => ({ refreshTokens: { ...refreshTokens, revokeFamily: async () => {} } })),
    'refresh: served, and not invalid_grant',
  ],
  [
    'a record that is missing once loses the domain',
    changed(({ checks }) => ({
      checks: {
        ...checks,
        postpone: (due, next) => (next.failures > 0 ? checks.lose(due, {} as never) : checks.postpone(due, next)),
      },
    })),
    'and not in',
  ],
  [
    'an application keeps its secret at the provider',
    changed(({ signOns }) => {
      let first = ''
      return {
        signOns: {
          ...signOns,
          put(signOn, write) {
            first ||= signOn.cipher
            return signOns.put({ ...signOn, cipher: first }, write)
          },
        },
      }
    }),
    'sign-in: answer_refused, and not in',
  ],
]

describe('A month of a company of 500 members', () => {
  it('has no refusal and no admission that the rules do not explain', async () => {
    const { figures, unexplained } = await playMonth({ employees: 500, days: 31, requestsADay: 6, seed })
    process.stdout.write(`a month of 500 members, seed ${seed}: ${JSON.stringify(figures, undefined, 1)}\n`)
    expect({ seed, unexplained }).toEqual({ seed, unexplained: [] })
    expect(figures['request: served']).toBeGreaterThan(50_000)
  })

  it.each(breakages)('does not pass unnoticed if %s', async (_, breakage, noticed) => {
    const { unexplained } = await playMonth({ employees: 40, days: 31, requestsADay: 3, seed: 20_261_130 }, breakage)
    process.stdout.write(`${unexplained.length} unexplained, first: ${unexplained[0]}\n`)
    expect(unexplained.join('\n')).toContain(noticed)
  })
})
