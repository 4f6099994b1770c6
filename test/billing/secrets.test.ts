import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as z from 'zod'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { type BillingScenario, runBillingScenario } from './billingScenario.ts'
import { customerOf, storedAccount } from './gatewayView.ts'
import { useCleanStack } from './useCleanStack.ts'

const bed = useCleanStack()

let scenario: BillingScenario & { logged: readonly string[] }

/** What no log line and no item may contain. */
function forbidden({ tokens }: BillingScenario): (RegExp | string)[] {
  const { stripe, demo } = bed.stack.client.info
  const exact = [
    ...tokens,
    stripe.secret_key,
    stripe.webhook_secret,
    stripe.previous_webhook_secret,
    demo.client_secret,
  ]
  return ['cus_', '_secret_', 'sk_test', 'whsec_', ...exact]
}

function found(texts: readonly string[], forbidden: readonly (RegExp | string)[]): string[] {
  return texts.flatMap((text) => {
    const hits = forbidden.filter((one) => (typeof one === 'string' ? text.includes(one) : one.test(text)))
    return hits.map((hit) => `${hit}: ${text}`)
  })
}

describe('The billing service, in a scenario with purchases, refusals and failures', () => {
  beforeAll(async () => {
    const logged: string[] = []
    const level = process.env.LOG_LEVEL
    process.env.LOG_LEVEL = 'DEBUG'
    const listen = (chunk: unknown) =>
      logged.push(chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk)) > 0
    const spies = [
      jest.spyOn(process.stdout, 'write').mockImplementation(listen),
      jest.spyOn(process.stderr, 'write').mockImplementation(listen),
      ...(['debug', 'info', 'log', 'warn', 'error'] as const).map((name) =>
        jest.spyOn(console, name).mockImplementation((...parts) => void logged.push(parts.map(String).join(' '))),
      ),
    ]
    try {
      scenario = { ...(await runBillingScenario(bed.stack)), logged }
    } finally {
      for (const spy of spies) spy.mockRestore()
      process.env.LOG_LEVEL = level
    }
  })

  it('logs lines of every level, and answers with every kind of status', () => {
    const lines = scenario.logged.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
    const levels = z.object({ level: z.string() })
    expect(new Set(lines.map((line) => levels.parse(JSON.parse(line)).level))).toEqual(
      new Set(['INFO', 'WARN', 'ERROR']),
    )
    expect(
      found(scenario.logged, [scenario.organizationId, 'resource_missing', 'card_declined']).length,
    ).toBeGreaterThan(10)
    const statuses = new Set(scenario.answers.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 201, 402, 409, 502, 503])
  })

  it('logs no customer, secret, key, token or email', () => {
    expect(found(scenario.logged, [...forbidden(scenario), /[\w.+-]+@[\w-]+\.\w/])).toEqual([])
  })

  it('answers with no customer, and with a client secret only in `client_secret`', () => {
    const texts = scenario.answers.map(({ text }) => text)
    expect(found(texts, ['cus_', 'sk_test', 'whsec_'])).toEqual([])
    const inClientSecret = /"client_secret":"(?:pi|seti)_[A-Za-z0-9]+_secret_[A-Za-z0-9]+"/g
    expect(texts.filter((text) => text.match(inClientSecret)).length).toBeGreaterThan(3)
    expect(
      found(
        texts.map((text) => text.replace(inClientSecret, '')),
        ['_secret_'],
      ),
    ).toEqual([])
  })

  describe('Given all that it has stored', () => {
    let stored: string[]
    beforeAll(async () => {
      const { dynamodb_endpoint, tables } = bed.stack.client.info
      const documents = createDocumentClient({ endpoint: dynamodb_endpoint, region: 'us-east-1' })
      const scans = Object.values(tables).map((TableName) => documents.send(new ScanCommand({ TableName })))
      stored = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items.map((item) => JSON.stringify(item)))
      documents.destroy()
    })

    it('stores no customer, secret, code, token or password', () => {
      expect(stored.length).toBeGreaterThan(20)
      const { owner, billing_admin, member, stranger } = bed.stack.client.info.demo
      const passwords = [owner, billing_admin, member, stranger].map(({ password }) => password)
      expect(found(stored, [...forbidden(scenario), ...passwords])).toEqual([])
    })

    // [asvs 8.4.1 11.3.1]
    it('decrypts the customer with the encryption context of its organization alone', async () => {
      const { stack } = bed
      const { kms_endpoint, kms } = stack.client.info
      const { custCipher = '' } = await storedAccount(stack, scenario.organizationId)
      expect(Buffer.from(custCipher, 'base64').toString('latin1')).not.toContain('cus_')
      const client = new KMSClient({ endpoint: kms_endpoint, region: 'us-east-1' })
      const open = (context: Record<string, string> | undefined) =>
        client.send(
          new DecryptCommand({
            KeyId: kms.customer_key_id,
            CiphertextBlob: Buffer.from(custCipher, 'base64'),
            ...(context && { EncryptionContext: context }),
          }),
        )
      const right = { organization_id: scenario.organizationId, attribute: 'stripe_customer_id' }
      const { Plaintext } = await open(right)
      expect(Buffer.from(Plaintext ?? []).toString()).toBe(await customerOf(stack, scenario.organizationId))
      for (const wrong of [
        { ...right, organization_id: await stack.client.newOrganization() },
        { ...right, attribute: 'other' },
        { organization_id: scenario.organizationId },
        undefined,
      ]) {
        await expect(open(wrong)).rejects.toThrow(expect.objectContaining({ name: 'InvalidCiphertextException' }))
      }
      client.destroy()
    })
  })
})
