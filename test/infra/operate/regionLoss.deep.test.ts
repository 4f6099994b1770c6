import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { localKeys, localSecrets } from '../../../infra/data/demo.ts'
import { type KmsServer, startKmsServer } from '../../../infra/emulators/kms/startKmsServer.ts'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { createResourceScope } from '../../../infra/local/resourceScope.ts'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { createCustomerBindings } from '../../../lib/adapters/dynamodb/customerBindingStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createTotpAuthenticators } from '../../../lib/adapters/dynamodb/totpStore.ts'
import { createCustomerCipher, createTotpCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { createGatewayListing } from '../../../lib/adapters/stripe/gatewayListing.ts'
import { rebindCustomers } from '../../../lib/billing/operate/rebindCustomers.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import { customerOf } from '../../billing/gatewayView.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const opened = createResourceScope()
const silent: Logger = { info() {}, warn() {}, error() {} }

/** KMS of another region with a key of this id. A replica of a multi-Region key has the id and the material of its primary; the emulator derives both from the seed. */
async function kmsOfRegion(keyId: string) {
  const keys = [{ keyId, keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT' }] as const
  const server: KmsServer = await opened.add(startKmsServer({ seed: localSecrets.kmsSeed, keys }))
  const client = createKmsClient({ endpoint: server.endpoint, region: 'eu-west-1' })
  opened.add({ close: async () => client.destroy() })
  return { client, keyId }
}

/** The tables in another region, restored from a copy of those of now. */
async function restoredTables() {
  const database = await opened.add(startDynamoDb())
  const documents = createDocumentClient({ endpoint: database.endpoint, region: 'eu-west-1' })
  opened.add({ close: async () => documents.destroy() })
  await createTables(documents, { accounts: tables.accounts, billing: tables.billing })
  for (const { localName } of [tables.accounts, tables.billing]) {
    const scan = new ScanCommand({ TableName: localName, ConsistentRead: true })
    const { Items = [] } = await bed.stack.documents.send(scan)
    for (let at = 0; at < Items.length; at += 25) {
      const puts = Items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }))
      await documents.send(new BatchWriteCommand({ RequestItems: { [localName]: puts } }))
    }
  }
  return documents
}

/** What a stack in the other region has, with this key. */
async function otherRegion(keyId: string) {
  const [key, documents] = [await kmsOfRegion(keyId), await restoredTables()]
  const { accounts, billing } = { accounts: tables.accounts.localName, billing: tables.billing.localName }
  const records = createBillingRecords(documents, { accounts, billing, auditLog: undefined })
  return {
    records,
    bindings: createCustomerBindings(documents, billing),
    cipher: createCustomerCipher(key),
    totpCipher: createTotpCipher(key),
    totp: createTotpAuthenticators(documents, accounts),
    listing: createGatewayListing(bed.stack.stripe, silent),
    logger: silent,
  }
}

let world: Awaited<ReturnType<typeof firstRegion>>

/** Organizations with customers, of which one has bought, and a user with an authenticator app. */
async function firstRegion() {
  const { stack } = bed
  const bought = []
  for (let n = 0; n < 3; n += 1) {
    const { organizationId, card } = await stack.organizationWithCard()
    if (n === 0) await stack.checkout(organizationId, ['base_ota'], { card })
    bought.push({ id: organizationIdSchema.parse(organizationId), customer: await customerOf(stack, organizationId) })
  }
  await stack.emulator.flush()
  return { bought, user: await enrollFactors(stack.client) }
}

beforeAll(async () => {
  world = await firstRegion()
})
afterAll(() => opened.close())

it('If the region is lost, a replica of the customer key decrypts customers and authenticator apps in another', async () => {
  const region = await otherRegion(localKeys.customer)
  for (const { id, customer } of world.bought) {
    const account = await region.records.readAccount(id)
    expect(await region.cipher.decrypt(id, account?.customer?.cipher ?? '')).toBe(customer)
  }
  const totp = await region.totp.find(world.user.userId)
  expect(await region.totpCipher.decrypt(world.user.userId, totp?.cipher ?? '')).toBe(world.user.secret)
  expect(await rebindCustomers(region, undefined, { dryRun: true })).toMatchObject({ customers: [] })
})

it('Without a replica nothing is decrypted there, and every customer is bound anew to the key of that region', async () => {
  const region = await otherRegion('0d1f2e3c-4b5a-4697-8879-6a5b4c3d2e1f')
  const [first] = world.bought
  const lost = await region.records.readAccount(first?.id ?? organizationIdSchema.parse(''))
  await expect(region.cipher.decrypt(first?.id ?? '', lost?.customer?.cipher ?? '')).rejects.toThrow()
  const totp = await region.totp.find(world.user.userId)
  await expect(region.totpCipher.decrypt(world.user.userId, totp?.cipher ?? '')).rejects.toThrow()

  const rebound = await rebindCustomers(region, undefined, { dryRun: false })
  expect(rebound).toMatchObject({ kind: 'done', readable: 0 })
  const outcomes = rebound.kind === 'done' ? rebound.customers.map(({ outcome }) => outcome) : []
  expect(new Set(outcomes)).toEqual(new Set(['bound anew']))
  for (const { id, customer } of world.bought) {
    const account = await region.records.readAccount(id)
    expect(await region.cipher.decrypt(id, account?.customer?.cipher ?? '')).toBe(customer)
    // What was bought is in the record, and needs no key.
    expect((await region.records.readSlots(id)).slots).toEqual(
      (await (await bed.stack.billing()).records.readSlots(id)).slots,
    )
  }
  expect(await rebindCustomers(region, undefined, { dryRun: false })).toMatchObject({ customers: [] })
})
