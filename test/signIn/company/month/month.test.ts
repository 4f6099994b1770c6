import { describe, expect, it } from '@jest/globals'
import { playMonth } from './playMonth.ts'

const seed = Number(process.env.COMPANY_SEED ?? 20_261_129)

describe('Ten days of a company of 30 members, whose provider is down for an hour', () => {
  it('have no refusal and no admission that the rules do not explain', async () => {
    const { figures, unexplained } = await playMonth({ employees: 30, days: 10, requestsADay: 3, seed })
    expect({ seed, unexplained }).toEqual({ seed, unexplained: [] })
    expect(figures).toMatchObject({
      ...{ 'request: served': expect.any(Number), 'request: insufficient_user_authentication': expect.any(Number) },
      ...{ 'sign-in: unreachable': expect.any(Number), 'break-glass request: done': 1, 'domain check: unanswered': 1 },
    })
  })
})
