import { describe, expect, it } from '@jest/globals'
import { createMailBudgets } from '../../../lib/adapters/dynamodb/mailBudgetStore.ts'
import { fullAfterOneMore, latestFull, type MailBudget, mailBudgets } from '../../../lib/users/mailBudget.ts'
import { errorBody } from '../../support/errorBody.ts'
import { PASSWORD, useAccounts } from './useAccounts.ts'

const { stack, post, person, newEmail, mailsTo, tokenMailedTo } = useAccounts()

const forgot = (email: string) => post('/api/auth/password/forgot', { email })
const verifyRequest = (email: string) => post('/api/auth/verify/request', { email })
const register = (email: string) =>
  post('/api/auth/register', { email, username: `r-${stack().ids.uuid().slice(0, 13)}`, password: PASSWORD })
const refused = { status: 429, body: errorBody('Too many attempts', 'too_many_attempts') }

/** Asks for a mail at each of these seconds, and returns at which it was sent. */
function sentAt(budget: MailBudget, seconds: readonly number[]): number[] {
  let fullAt = 0
  return seconds.filter((second) => {
    const next = fullAfterOneMore(budget, fullAt, second * 1000)
    fullAt = next ?? fullAt
    return next !== undefined
  })
}

const everySecondOf = (seconds: number) => Array.from({ length: seconds }, (_, second) => second)
const DAY = 24 * 3600

describe('A budget of mails', () => {
  it.each(Object.entries(mailBudgets))('of %s sends its burst at once, and one for each wait after', (_, budget) => {
    const { burst, everySeconds } = budget
    const sent = sentAt(budget, everySecondOf(DAY))
    const refills = Math.floor((DAY - 1) / everySeconds)
    // Clocks that differ by 2 s gain a mail at the day's end at most.
    expect(sent.length - burst - refills).toBeLessThanOrEqual(1)
    expect(sent.length).toBeGreaterThanOrEqual(burst + refills)
    expect(sentAt(budget, Array(burst + 3).fill(0))).toHaveLength(burst)
  })

  it('fills while its requests are refused: a stranger who never stops takes nothing off the time', () => {
    const { burst, everySeconds } = mailBudgets.reset
    const asking = everySecondOf(10 * everySeconds)
    const afterwards = Array.from({ length: burst + 1 }, () => (10 + burst) * everySeconds)
    const sent = sentAt(mailBudgets.reset, [...asking, ...afterwards])
    expect(sent.filter((second) => second === afterwards[0])).toHaveLength(burst)
  })

  // The link of a reset is valid for an hour.
  // [threat 15.3c]
  it('of resets leaves no 20 minutes without a mail while a stranger asks for them without end', () => {
    const sent = sentAt(mailBudgets.reset, everySecondOf(DAY))
    const gaps = sent.slice(1).map((second, index) => second - (sent[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(20 * 60)
  })
})

describe('Requests that send mail', () => {
  // [asvs 2.4.1]
  it.each(['known', 'unknown'])('to an address that is %s have a budget for each purpose', async (which) => {
    const email = which === 'known' ? (await person()).email : newEmail()
    for (const ask of [verifyRequest, forgot, register]) {
      for (let request = 0; request < 10; request += 1) expect((await ask(email)).status).toBe(202)
      const refusal = await ask(email)
      expect(refusal).toMatchObject({
        ...refused,
        headers: { 'retry-after': expect.stringMatching(/^11\d\d$/) },
      })
    }
    stack().advance(20 * 60)
    for (const ask of [verifyRequest, forgot, register]) {
      expect((await ask(email)).status).toBe(202)
      expect((await ask(email)).status).toBe(429)
    }
  })

  it('of a stranger who asks without end leave the owner a link that resets the password', async () => {
    const { email } = await person()
    for (let minute = 0; minute < 5 * 60; minute += 7) {
      await forgot(email)
      stack().advance(7 * 60)
    }
    while ((await forgot(email)).status === 202);
    const reset = { token: tokenMailedTo(email), password: 'quite-another-phrase-77' }
    expect((await post('/api/auth/password/reset', reset)).status).toBe(200)
  })

  // [catch writeItem.updateItem]
  it('are counted at once: of 20 concurrent ones a budget admits 10', async () => {
    const { email } = await person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => forgot(email)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(mailsTo(email)).toHaveLength(10)
  })

  it('to new addresses of a user have a budget of the user’s', async () => {
    const someUser = await person()
    const { token } = await someUser.signIn()
    const change = () => post('/api/users/me/email/change', { email: newEmail(), current_password: PASSWORD }, token)
    for (let request = 0; request < 10; request += 1) expect((await change()).status).toBe(202)
    expect(await change()).toMatchObject(refused)
  })

  it('are stored without addresses, and not answered where they cannot be counted', async () => {
    const email = newEmail()
    await forgot(email)
    const items = JSON.stringify((await stack().stored()).filter(({ sk }) => sk === 'MAILS'))
    expect(items).toContain('MAILS#reset#')
    expect(items).not.toContain(email)
    stack().database.fail({ operation: 'UpdateItem', times: 6, kind: 'drop_before' })
    expect((await forgot(newEmail())).status).toBe(503)
  })
})

describe('The store of budgets', () => {
  it('decides as the policy does, with any number of concurrent callers', async () => {
    const budgets = createMailBudgets(stack().documents, 'accounts')
    const subject = { kind: 'reset', subject: stack().ids.uuid() } as const
    const budget = { burst: 3, everySeconds: 100 }
    const at = (now: number) => ({ everyMs: 100_000, latestFull: latestFull(budget, now), now })
    let fullAt = 0
    for (const now of [1e9, 1e9, 1e9 + 1, 1e9 + 2, 1e9 + 95_000, 1e9 + 99_000, 1e9 + 900_000, 1e9 + 900_000]) {
      const next = fullAfterOneMore(budget, fullAt, now)
      fullAt = next ?? fullAt
      expect(await budgets.spend(subject, at(now))).toEqual(next === undefined ? { fullAt } : 'spent')
    }
    const other = { kind: 'reset', subject: stack().ids.uuid() } as const
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => budgets.spend(other, at(5e9))))
    expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(3)
  })
})
