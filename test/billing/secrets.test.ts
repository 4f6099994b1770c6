import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as z from 'zod'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { type BillingScenario, runBillingScenario } from './billingScenario.ts'
import { cleanAfterEach } from './cleanAfterEach.ts'
import { customerOf, storedAccount } from './gatewayView.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

let story: BillingScenario & { logged: readonly string[] }

/** What no log line and no record may hold, however it got there. */
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

describe('Given a story with purchases, refusals and failures, and every log line', () => {
  beforeAll(async () => {
    const logged: string[] = []
    const level = process.env.POWERTOOLS_LOG_LEVEL
    process.env.POWERTOOLS_LOG_LEVEL = 'DEBUG'
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
      story = { ...(await runBillingScenario(bed.stack)), logged }
    } finally {
      for (const spy of spies) spy.mockRestore()
      process.env.POWERTOOLS_LOG_LEVEL = level
    }
  }, 30_000)

  it('really happened: lines of every level were logged, and answers of every kind were given', () => {
    const lines = story.logged.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
    const levels = z.object({ level: z.string() })
    expect(new Set(lines.map((line) => levels.parse(JSON.parse(line)).level))).toEqual(
      new Set(['INFO', 'WARN', 'ERROR']),
    )
    expect(found(story.logged, [story.organizationId, 'resource_missing', 'card_declined']).length).toBeGreaterThan(10)
    const statuses = new Set(story.answers.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 201, 402, 409, 502, 503])
  })

  it('logs no customer, secret, key, token or email', () => {
    expect(found(story.logged, [...forbidden(story), /[\w.+-]+@[\w-]+\.\w/])).toEqual([])
  })

  it('answers with no customer, and with a client secret only where one is promised', () => {
    const texts = story.answers.map(({ text }) => text)
    expect(found(texts, ['cus_', 'sk_test', 'whsec_'])).toEqual([])
    const promised = /"client_secret":"(?:pi|seti)_[A-Za-z0-9]+_secret_[A-Za-z0-9]+"/g
    expect(texts.filter((text) => text.match(promised)).length).toBeGreaterThan(3)
    expect(
      found(
        texts.map((text) => text.replace(promised, '')),
        ['_secret_'],
      ),
    ).toEqual([])
  })

  describe('and what is stored', () => {
    let stored: string[]
    beforeAll(async () => {
      const { dynamodb_endpoint, tables } = bed.stack.client.info
      const documents = createDocumentClient({ endpoint: dynamodb_endpoint, region: 'us-east-1' })
      const scans = Object.values(tables).map((TableName) => documents.send(new ScanCommand({ TableName })))
      stored = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items.map((item) => JSON.stringify(item)))
      documents.destroy()
    })

    it('holds no customer, secret, code, token or password', () => {
      expect(stored.length).toBeGreaterThan(20)
      const { owner, billing_admin, member, stranger } = bed.stack.client.info.demo
      const passwords = [owner, billing_admin, member, stranger].map(({ password }) => password)
      expect(found(stored, [...forbidden(story), ...passwords])).toEqual([])
    })

    it('opens with the encryption context of its organization alone', async () => {
      const { stack } = bed
      const { kms_endpoint, kms } = stack.client.info
      const { custCipher = '' } = await storedAccount(stack, story.organizationId)
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
      const right = { organization_id: story.organizationId, attribute: 'stripe_customer_id' }
      const { Plaintext } = await open(right)
      expect(Buffer.from(Plaintext ?? []).toString()).toBe(await customerOf(stack, story.organizationId))
      for (const wrong of [
        { ...right, organization_id: await stack.client.newOrganization() },
        { ...right, attribute: 'other' },
        { organization_id: story.organizationId },
        undefined,
      ]) {
        await expect(open(wrong)).rejects.toThrow(expect.objectContaining({ name: 'InvalidCiphertextException' }))
      }
      client.destroy()
    })
  })
})
