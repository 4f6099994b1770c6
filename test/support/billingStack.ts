import { randomUUID } from 'node:crypto'
import { PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll } from '@jest/globals'
import Stripe from 'stripe'
import * as z from 'zod'
import { type DemoUser, localKeys } from '../../infra/data/demo.ts'
import { openKms } from '../../infra/local/dependencies/openKms.ts'
import { startDynamoDb } from '../../infra/local/dynamodb/startDynamoDb.ts'
import { type LocalClient, localClient } from '../../infra/local/localClient.ts'
import { createResourceScope } from '../../infra/local/resourceScope.ts'
import { readSettings } from '../../infra/local/settings.ts'
import { startStack } from '../../infra/local/stack.ts'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOutbox } from '../../lib/adapters/dynamodb/outboxStore.ts'
import { organizationIdSchema } from '../../lib/core/ids.ts'
import type { EventDraft } from '../../lib/events/event.ts'
import { answerClock } from './answerClock.ts'
import type { AwsCalls } from './aws/awsCalls.ts'
import { type Iam, startIam } from './aws/iam.ts'
import type { ResourceNames } from './aws/iamPermissions.ts'
import { interceptAwsCalls } from './aws/interceptAwsCalls.ts'
import { createEmulator, type Emulator } from './emulator.ts'

// The emulator's faults do not pass by waiting, so Stripe's SDK repeats a failed call at once.
Stripe.prototype.getInitialNetworkRetryDelay = () => 0

const lineSchema = z.object({
  ok: z.boolean(),
  product_code: z.string(),
  error: z.string().optional(),
  detail: z.string().optional(),
  subscription: z.looseObject({ status: z.string(), coupon_code: z.string().nullable() }).optional(),
  client: z.object({ action: z.string(), client_secret: z.string().nullable() }).optional(),
})

/** What a test looks at of a checkout: the status, each line, and in short `bought` or the error of each. */
export interface CheckoutAnswer {
  status: number
  retryAfter: string | null
  lines: z.infer<typeof lineSchema>[]
  outcomes: string[]
  body: unknown
}

export interface CheckoutOptions {
  as?: DemoUser
  card?: string
  coupon?: string
}

export interface BillingStackOptions {
  readonly schedules?: boolean
  readonly rateLimits?: boolean
  readonly automaticTax?: boolean
  /** What the functions may do; what the manifest says where left out. */
  readonly rows?: readonly FunctionRow[]
  /** The manifest's names of secrets' ARNs. */
  readonly secrets?: ResourceNames
}

const keyNames: ResourceNames = { [localKeys.customer]: 'customer', [localKeys.token]: 'token' }

const storedSlot = z.looseObject({
  state: z.string(),
  n: z.number(),
  rev: z.number(),
  pendingKey: z.string().optional(),
})

const storedEntry = z.looseObject({
  at: z.number(),
  expiresAt: z.number(),
  actor: z.object({ type: z.string(), id: z.string().nullable() }),
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

/**
 * The whole service on its neighbours. Counts what it says to DynamoDB and KMS, and fails the calls that a test chooses. A
 * function's call to DynamoDB or KMS that the manifest does not list is refused, and fails the test.
 */
export class BillingStack {
  readonly client: LocalClient
  readonly stripe: Stripe
  readonly emulator: Emulator
  readonly dynamoDb: AwsCalls
  readonly kms: AwsCalls
  readonly iam: Iam
  /** A client of the tables, past the service and past what counts its calls. */
  readonly documents: ReturnType<typeof createDocumentClient>
  readonly #close: () => Promise<void>
  private constructor(parts: {
    client: LocalClient
    database: string
    dynamoDb: AwsCalls
    kms: AwsCalls
    iam: Iam
    close: () => Promise<void>
  }) {
    this.client = parts.client
    this.stripe = parts.client.stripe
    this.emulator = createEmulator(parts.client.info.stripe.api_base)
    this.dynamoDb = parts.dynamoDb
    this.kms = parts.kms
    this.iam = parts.iam
    this.documents = createDocumentClient({ endpoint: parts.database, region: 'us-east-1' })
    this.#close = parts.close
  }

  static async start(options: BillingStackOptions = {}): Promise<BillingStack> {
    const { schedules = false, rateLimits = false, automaticTax = false, rows = manifest, secrets } = options
    const opened = createResourceScope()
    const iam = await opened.add(startIam(rows, { ...keyNames, ...secrets }))
    const [database, kmsEndpoint] = await Promise.all([opened.add(startDynamoDb()), openKms(readSettings({}), opened)])
    const { authorize } = iam
    const dynamoDb = await opened.add(interceptAwsCalls(database.endpoint, { authorize }))
    const kms = await opened.add(interceptAwsCalls(kmsEndpoint, { authorize }))
    const past = await opened.add(interceptAwsCalls(database.endpoint, { host: 'tests.localhost' }))
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
      AWS_ENDPOINT_URL_KMS: kms.endpoint,
      ...(rateLimits && { RATE_LIMITS: 'on' }),
      ...(automaticTax && { AUTOMATIC_TAX: 'on' }),
    }
    const stack = await opened.add(startStack({ env, quiet: true, schedules }))
    const now = () => Math.floor(stack.clock.now() / 1000)
    await opened.add(answerClock(`${stack.info.stripe.api_base}/_emulator/clock`, now))
    const client = localClient(stack.info)
    return new BillingStack({ client, database: past.endpoint, dynamoDb, kms, iam, close: () => opened.close() })
  }

  async close(): Promise<void> {
    this.documents.destroy()
    await this.#close()
    this.iam.expectNoViolation()
  }

  /** An access token that is valid for minutes by the emulator's clock. Signing in takes longer than most of what is tested. */
  token(user: DemoUser = 'owner'): Promise<string> {
    return this.client.accessToken(user)
  }

  /** An organization with a card of this kind on file, its default. */
  async organizationWithCard(testCard = 'pm_card_visa'): Promise<{ organizationId: string; card: string }> {
    const organizationId = await this.client.newOrganization()
    const card = await this.addCard(organizationId, testCard)
    return { organizationId, card }
  }

  /** Another card for an organization; the first one becomes the default once its event is projected. */
  async addCard(organizationId: string, testCard: string): Promise<string> {
    const card = await this.client.addCard({ token: await this.token(), organizationId, testCard })
    await this.emulator.flush()
    return card
  }

  /** An organization with a purchase of `base_ota` whose outcome is unknown: the gateway's answers are lost, its events held. */
  async organizationWithUnknownPurchase(): Promise<{ organizationId: string; card: string }> {
    const { organizationId, card } = await this.organizationWithCard()
    await this.emulator.webhooks('hold')
    await this.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 2 })
    await this.checkout(organizationId, ['base_ota'], { card })
    return { organizationId, card }
  }

  /** An organization whose purchase of `base_ota` is pending until the gateway answers, after a time. Events are held, as they would settle it. */
  async organizationWithPendingPurchase(
    delay_ms: number,
  ): Promise<{ organizationId: string; card: string; answer: Promise<CheckoutAnswer> }> {
    const { organizationId, card } = await this.organizationWithCard()
    await this.emulator.webhooks('hold')
    const token = await this.token()
    await this.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms })
    const answer = this.checkoutWith(token, organizationId, ['base_ota'], { card })
    await this.until(async () => (await this.slot(organizationId))?.state === 'pending')
    return { organizationId, card, answer }
  }

  async checkout(
    organizationId: string,
    codes: readonly string[],
    options: CheckoutOptions = {},
  ): Promise<CheckoutAnswer> {
    const token = await this.token(options.as)
    return this.checkoutWith(token, organizationId, codes, options)
  }

  async checkoutWith(
    token: string,
    organizationId: string,
    codes: readonly string[],
    options: CheckoutOptions = {},
  ): Promise<CheckoutAnswer> {
    const { info } = this.client
    const response = await fetch(`${info.base_url}/api/billing/checkout?organization_id=${organizationId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        product_codes: codes,
        ...(options.card !== undefined && { payment_method_id: options.card }),
        ...(options.coupon !== undefined && { coupon_code: options.coupon }),
      }),
    })
    const body: unknown = await response.json()
    const lines = z.array(lineSchema).catch([]).parse(body)
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      lines,
      outcomes: lines.map((line) => (line.ok ? `bought ${line.subscription?.status}` : (line.error ?? ''))),
      body,
    }
  }

  async post(path: string, organizationId: string, body?: unknown, as: DemoUser = 'owner') {
    const token = await this.token(as)
    const query = `${path}?organization_id=${organizationId}`
    return this.client.send({ method: 'POST', path: query, token, ...(body !== undefined && { body }) })
  }

  cancel(organizationId: string, body: object, as: DemoUser = 'owner') {
    return this.post('/api/billing/cancel', organizationId, body, as)
  }

  async entitlements(organizationId: string, as: DemoUser = 'owner') {
    const path = `/api/billing/entitlements?organization_id=${organizationId}`
    const { body } = await this.client.send({ method: 'GET', path, token: await this.token(as) })
    const schema = z.object({
      entitlements: z.array(
        z.looseObject({ product: z.string(), active: z.boolean(), valid_until: z.string().nullable() }),
      ),
    })
    return schema.parse(body).entitlements
  }

  /** Reads something of an organization's billing, as `/api/billing/<what>`. */
  async get(what: string, organizationId: string, as: DemoUser = 'owner') {
    const path = `/api/billing/${what}${what.includes('?') ? '&' : '?'}organization_id=${organizationId}`
    return this.client.send({ method: 'GET', path, token: await this.token(as) })
  }

  /** Sends a request as it is, and hands the answer back as it came; only a token is added where one is given. */
  async wire(request: {
    method: 'GET' | 'POST'
    path: string
    token?: string
    headers?: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer>
  }): Promise<{ status: number; headers: Record<string, string>; text: string; body: unknown }> {
    const { method, path, token, headers = {}, body } = request
    const response = await fetch(this.client.info.base_url + path, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text, body: JSON.parse(text) }
  }

  /** The DynamoDB calls that write, since `dynamoDb` was reset. */
  writes(): string[] {
    const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']
    return this.dynamoDb.calls().flatMap(({ operation }) => (reads.includes(operation) ? [] : [operation]))
  }

  /** Puts an item into the table `billing`, past the service. */
  async putItem(item: Record<string, unknown>): Promise<void> {
    await this.documents.send(new PutCommand({ TableName: this.client.info.tables.billing, Item: item }))
  }

  /** The adapters of the running service, for tests that leave what a crash would leave. */
  async billing() {
    const { billingDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
    return billingDepsFromEnvironment()
  }

  /** Waits until something holds, for at most a minute. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + 60_000
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('Did not hold within a minute')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Every item of the table `billing`. */
  async items(): Promise<Record<string, unknown>[]> {
    const { Items = [] } = await this.documents.send(
      new ScanCommand({ TableName: this.client.info.tables.billing, ConsistentRead: true }),
    )
    return Items
  }

  /** The items of the table `billing` with this partition key. */
  async #partition(pk: string): Promise<Record<string, unknown>[]> {
    const query = new QueryCommand({
      TableName: this.client.info.tables.billing,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    })
    return (await this.documents.send(query)).Items ?? []
  }

  /** The stored entries of an organization's audit log, oldest first. */
  async auditEntries(organizationId: string) {
    const query = new QueryCommand({
      TableName: this.client.info.tables.audit_log,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `ORG#${organizationId}` },
    })
    return z.array(storedEntry).parse((await this.documents.send(query)).Items)
  }

  /** The organization's events that have no number yet: by time, a subject's by revision. */
  async outbox(organizationId: string): Promise<EventDraft[]> {
    const outbox = createOutbox(this.documents, this.client.info.tables.events)
    return [...(await outbox.read(organizationIdSchema.parse(organizationId))).waiting]
  }

  /** The stored slot of a plan, or undefined. */
  async slot(organizationId: string, planCode = 'base_ota') {
    const product_code = `${planCode}:${organizationId}`
    const items = await this.#partition(`PRODUCTS#${organizationId}`)
    const item = items.find((stored) => stored.product_code === product_code && String(stored.sk).startsWith('SLOT#'))
    return item && storedSlot.parse(item)
  }

  /** The stored redemptions of a coupon. */
  async redemptions(couponId: string) {
    return this.#partition(`COUPON#${couponId}`)
  }

  /** The organization's subscriptions at the gateway, in every status. */
  async subscriptions(organizationId: string): Promise<Stripe.Subscription[]> {
    const all = await this.stripe.subscriptions.list({ status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 })
    return all.filter(({ metadata }) => metadata.organization_id === organizationId)
  }

  /** How many payments of the organization's customers succeeded, also where they were given back later. */
  async charges(organizationId: string): Promise<number> {
    const customers = new Set((await this.subscriptions(organizationId)).map(({ customer }) => customer))
    const intents = await this.stripe.paymentIntents.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
    return intents.filter(({ status, customer }) => status === 'succeeded' && customers.has(customer ?? '')).length
  }

  /** A coupon that was not used yet, and the code to type for it. */
  async newCoupon(params: Stripe.CouponCreateParams = {}): Promise<{ id: string; code: string }> {
    const id = `coupon-${randomUUID().slice(0, 8)}`
    const code = `CODE-${randomUUID().slice(0, 8)}`.toUpperCase()
    await this.stripe.coupons.create({ id, percent_off: 25, duration: 'once', ...params })
    await this.stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon: id } })
    return { id, code }
  }
}

/** A stack for the tests of one file, started before them and stopped after; none of them may go beyond the manifest. */
export function useBillingStack(options: BillingStackOptions = {}): { readonly stack: BillingStack } {
  let started: BillingStack | undefined
  beforeAll(async () => {
    started = await BillingStack.start(options)
  })
  afterEach(() => started?.iam.expectNoViolation())
  afterAll(() => started?.close())
  return {
    get stack() {
      if (!started) throw new Error('The stack is started before the tests')
      return started
    },
  }
}
