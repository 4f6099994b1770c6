import type { MailBudgets } from '../../lib/users/ports.ts'

/** `MailBudgets` in memory. */
export function createMailBudgetsInMemory(): MailBudgets {
  const budgets = new Map<string, number>()
  return {
    async spend({ kind, subject }, { everyMs, latestFull, now }) {
      const fullAt = budgets.get(`${kind} ${subject}`) ?? 0
      if (fullAt > latestFull) return { fullAt }
      budgets.set(`${kind} ${subject}`, Math.max(fullAt, now) + everyMs)
      return 'spent'
    },
  }
}
