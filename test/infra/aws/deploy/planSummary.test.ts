import { describe, expect, it } from '@jest/globals'
import { planSummary } from '../../../../infra/aws/deploy/planSummary.ts'

const table = (role: string) => `IAM Statement Changes
┌───┬──────────┬────────┬───────────────────┬───────────┬───────────┐
│   │ Resource │ Effect │ Action            │ Principal │ Condition │
├───┼──────────┼────────┼───────────────────┼───────────┼───────────┤
│ + │ ${role}  │ Allow  │ dynamodb:Scan     │ AWS:${role} │         │
└───┴──────────┴────────┴───────────────────┴───────────┴───────────┘
(NOTE: There may be security-related changes not in this list. See https://github.com/aws/aws-cdk/issues/1299)
`
const resources = (count: number) =>
  `Resources\n${Array.from({ length: count }, (_, n) => `[~] AWS::Lambda::Function function-${n}`).join('\n')}\n`
const plan = (count: number) =>
  `Stack prod-console-data\n${table('First')}\n${resources(count)}\nStack prod-console-api\nThere were no differences\n` +
  `Stack prod-console-openapi\n${table('Last')}\n${resources(count)}\n✨  Number of stacks with differences: 2\n`

describe('The summary of a plan', () => {
  it('has the permissions of every stack first, each with its stack, and then the whole plan', () => {
    const summary = planSummary(plan(2), 100_000)
    const [head = '', rest] = summary.split('\nThe whole plan:\n\n')
    expect(head).toContain(`Stack prod-console-data\n${table('First').trimEnd()}`)
    expect(head).toContain(`Stack prod-console-openapi\n${table('Last').trimEnd()}`)
    expect(head).not.toContain('function-0')
    expect(rest).toBe(plan(2))
  })

  it.each([6000, 8000, 8001, 8002, 8003])(
    'cuts the rest where it is longer than %i bytes, and no permission',
    (limit) => {
      const summary = planSummary(plan(5000), limit)
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(limit)
      for (const role of ['First', 'Last']) expect(summary).toContain(table(role).trimEnd())
      expect(summary).toMatch(/The rest is in the log of this step\.\n$/)
      expect(summary).not.toContain('�')
    },
  )

  it('fails rather than cut permissions', () => {
    expect(() => planSummary(plan(1), 500)).toThrow('more than a summary holds')
  })

  it('says so where none change', () => {
    expect(planSummary(`Stack prod-console-api\n${resources(1)}`, 1000)).toMatch(/^No permission changes\.\n/)
  })
})
