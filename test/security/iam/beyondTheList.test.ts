import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms'
import { describe, expect, it } from '@jest/globals'
import { runningFunction } from '../../../infra/local/invokeFunction.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { useBillingStack } from '../../support/billingStack.ts'

/** Shorter lists than the manifest's: the functions call what is missing all the same. */
const shortened: Readonly<Record<string, Partial<Pick<FunctionRow, 'tables' | 'kms'>>>> = {
  'users-me': { tables: { accounts: ['UpdateItem'] } },
  'billing-setup-intent': { kms: { customer: ['Decrypt'] } },
  'billing-cancel': { tables: { billing: ['BatchGetItem', 'UpdateItem'], auditLog: ['PutItem'] } },
}

const all: readonly FunctionRow[] = manifest
const rows = all.map((row) => ({ ...row, ...shortened[row.name] }))
const bed = useBillingStack({ rows })

describe('A call beyond a function’s list', () => {
  it('is refused as IAM refuses it, and reported', async () => {
    const { stack } = bed
    const token = await stack.token()
    const { status } = await stack.client.send({ method: 'GET', path: '/api/users/me', token })
    expect(status).toBe(503)
    expect(stack.iam.takeViolations()).toEqual(['users-me may not dynamodb:BatchGetItem accounts'])
  })

  it('is refused for a use of a key', async () => {
    const { stack } = bed
    const answer = await stack.post('/api/billing/card-gateway/setup-intent', await stack.client.newOrganization())
    expect(answer.status).toBe(503)
    expect(stack.iam.takeViolations()).toEqual(['billing-setup-intent may not kms:Encrypt customer'])
  })

  it('is refused for one item of a transaction, and nothing of it is written', async () => {
    const { stack } = bed
    // Only the setup intent of a known customer is within its shortened list.
    const organizationId = await stack.client.newOrganization()
    const { code } = await stack.newCoupon({ percent_off: 100 })
    expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code })).outcomes).toEqual(['bought active'])
    await stack.emulator.flush()
    await stack.emulator.webhooks('hold')
    const before = await stack.slot(organizationId)
    const { status } = await stack.cancel(organizationId, { product: 'ota', at_period_end: true })
    expect(status).toBe(503)
    expect(await stack.slot(organizationId)).toEqual(before)
    // The slot, the mail about it, and the event.
    expect(stack.iam.takeViolations()).toEqual([
      'billing-cancel may not dynamodb:PutItem billing',
      'billing-cancel may not dynamodb:PutItem billing, of organizations',
      'billing-cancel may not dynamodb:PutItem events',
    ])
  })

  it('is reported where it goes past the check', async () => {
    const { stack } = bed
    const nowhere = new KMSClient({ endpoint: 'http://127.0.0.1:1', region: 'us-east-1', maxAttempts: 1 })
    const [row] = rows
    if (row === undefined) throw new Error('The manifest is empty')
    const call = runningFunction.run(row, () => nowhere.send(new ListKeysCommand()))
    await expect(call).rejects.toThrow('ECONNREFUSED')
    nowhere.destroy()
    expect(() => stack.iam.expectNoViolation()).toThrow('oauth-token calls AWS at 127.0.0.1:1, past the check')
    expect(stack.iam.takeViolations()).toEqual([])
  })

  it('is no function’s where a test makes it', async () => {
    const { stack } = bed
    stack.iam.forgetCalls()
    expect((await stack.items()).length).toBeGreaterThan(0)
    expect(stack.iam.calls()).toEqual([])
    expect(stack.iam.takeViolations()).toEqual([])
  })
})
