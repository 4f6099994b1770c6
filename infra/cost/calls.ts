import { products } from '../../lib/billing/catalog.ts'
import type { FunctionName } from '../manifest.ts'
import { accountOperations } from './accountCalls.ts'
import { deviceOperations } from './deviceCalls.ts'
import {
  type DynamoDbRequest,
  everyMinute,
  lasting,
  limited,
  type Operation,
  ofCaller,
  opened,
  repeated,
  signed,
  signedTwice,
  withDefaults,
} from './operation.ts'

/** The caller, and the organization's account, the membership and the slots of as many products. */
const readOrganization = (slots: number): DynamoDbRequest => ['BatchGetItem', ofCaller + 2 + slots]

/** A read of an organization at Stripe, whose requests do not wait for each other. */
function readAtStripe(
  name: string,
  functionName: FunctionName,
  { slots, stripe }: { readonly slots: number; readonly stripe: number },
) {
  const milliseconds = lasting({ dynamoDb: 1, kms: 1, stripeRead: 1 })
  return { name, functionName, dynamoDb: [limited, readOrganization(slots)], kms: opened, stripe, milliseconds }
}

/** The claims of as many lines, each by itself, and their second read with the account. */
const claimed = (lines: number): readonly DynamoDbRequest[] => [
  ...repeated(lines, ['PutItem', 1]),
  ['TransactGetItems', 1 + lines],
]
/** The account, and the slot that the metadata of a subscription names. */
const readSlot: DynamoDbRequest = ['BatchGetItem', 2]

/** What is due, by an index of keys alone, read with eventual consistency. */
const readDue: DynamoDbRequest = ['Query', 0.5]

/** The number of subscriptions that the reconciliation is priced for, and the bytes that a scan reads for each, including its organization. */
export const RECONCILED = { subscriptions: 1000, bytesEach: 2000 } as const

/** The page size of Stripe's lists. */
const ROWS = 100

/** The pass reads and marks the slot of each subscription, and writes its position when a page of its six phases is done. */
export function reconciled(subscriptions: number): readonly DynamoDbRequest[] {
  const mark: DynamoDbRequest = ['UpdateItem', 1]
  const place: DynamoDbRequest = ['PutItem', 1]
  return [
    ['GetItem', 1],
    ['BatchGetItem', subscriptions],
    ['Scan', 1],
    ...Array.from({ length: subscriptions }, () => mark),
    ...Array.from({ length: 5 + Math.ceil(subscriptions / ROWS) }, () => place),
  ]
}

export const operations: readonly Operation[] = withDefaults([
  {
    name: 'checkout, 1 line',
    functionName: 'billing-checkout',
    // The claim and its second read; then slot, entry of the audit log, mail and two events.
    dynamoDb: [limited, readOrganization(1), ...claimed(1), ['TransactWriteItems', 5]],
    indexWrites: 4,
    kms: opened,
    // The purchase, and what is charged next.
    stripe: 2,
    logBytes: 600,
    milliseconds: lasting({ dynamoDb: 5, kms: 1, stripeRead: 1, stripeWrite: 1 }),
  },
  {
    name: 'checkout, 4 lines',
    functionName: 'billing-checkout',
    dynamoDb: [limited, readOrganization(4), ...claimed(4), ...repeated(4, ['TransactWriteItems', 5])],
    indexWrites: 16,
    kms: opened,
    stripe: 8,
    logBytes: 600,
    milliseconds: lasting({ dynamoDb: 8, kms: 1, stripeRead: 4, stripeWrite: 4 }),
  },
  {
    // With a coupon, when the buyer has no card.
    name: 'checkout of a first buyer',
    functionName: 'billing-checkout',
    dynamoDb: [
      limited,
      readOrganization(1),
      // Slot, account, and the redemption under both of its ids.
      ['TransactWriteItems', 4],
      ['GetItem', 1],
      ['UpdateItem', 1],
      ['UpdateItem', 1],
      ['TransactWriteItems', 6],
    ],
    indexWrites: 5,
    kms: opened,
    stripe: 5,
    logBytes: 600,
    milliseconds: lasting({ dynamoDb: 7, kms: 1, stripeRead: 3, stripeWrite: 2 }),
  },
  {
    // Reads the details before the claim. The first invoice is a draft for an hour: it is the next charge, and no open invoice is looked for.
    name: 'checkout by invoice, 1 line',
    functionName: 'billing-checkout',
    dynamoDb: [limited, readOrganization(1), ...claimed(1), ['TransactWriteItems', 5]],
    indexWrites: 4,
    kms: opened,
    // The details, what is owed, and the purchase.
    stripe: 3,
    logBytes: 600,
    milliseconds: lasting({ dynamoDb: 5, kms: 1, stripeRead: 2, stripeWrite: 1 }),
  },
  {
    name: 'checkout preview, 1 line',
    functionName: 'billing-checkout-preview',
    dynamoDb: [limited, readOrganization(1)],
    kms: opened,
    // The price list, always fresh, and the invoice's preview.
    stripe: 2,
    milliseconds: lasting({ dynamoDb: 1, kms: 1, stripeRead: 2 }),
  },
  {
    name: 'setup intent',
    functionName: 'billing-setup-intent',
    dynamoDb: [limited, readOrganization(0)],
    kms: opened,
    stripe: 1,
    milliseconds: lasting({ dynamoDb: 2, kms: 1, stripeWrite: 1 }),
  },
  {
    name: 'cancel at period end',
    functionName: 'billing-cancel',
    // Slot, entry of the audit log, mail and event.
    dynamoDb: [limited, readOrganization(1), ['TransactWriteItems', 4]],
    indexWrites: 1,
    stripe: 1,
    milliseconds: lasting({ dynamoDb: 3, stripeWrite: 1 }),
  },
  {
    name: 'resume',
    functionName: 'billing-resume',
    dynamoDb: [limited, readOrganization(1), ['TransactWriteItems', 3]],
    indexWrites: 1,
    stripe: 2,
    milliseconds: lasting({ dynamoDb: 3, stripeRead: 1, stripeWrite: 1 }),
  },
  {
    // When a purchase waits for 3-D Secure and another card pays: the fence, then slot, entry of the audit log, mail and two events.
    name: 'pay',
    functionName: 'billing-pay',
    dynamoDb: [limited, readOrganization(1), ['PutItem', 1], ['TransactWriteItems', 5]],
    indexWrites: 2,
    stripe: 5,
    milliseconds: lasting({ dynamoDb: 4, stripeRead: 4, stripeWrite: 1 }),
  },
  readAtStripe('list of cards', 'billing-payment-methods', { slots: products.length, stripe: 5 }),
  readAtStripe('card', 'billing-payment-method', { slots: products.length, stripe: 5 }),
  {
    // If there is a single subscription.
    name: 'default card',
    functionName: 'billing-payment-method-default',
    dynamoDb: [limited, readOrganization(products.length), ['TransactWriteItems', 2]],
    kms: opened,
    stripe: 6,
    milliseconds: lasting({ dynamoDb: 2, kms: 1, stripeRead: 4, stripeWrite: 2 }),
  },
  {
    // If no subscription is paid with the card.
    name: 'removal of a card',
    functionName: 'billing-payment-method-remove',
    dynamoDb: [
      limited,
      readOrganization(products.length),
      ['TransactWriteItems', 1 + products.length],
      ['TransactWriteItems', 2],
      ['TransactWriteItems', 2],
      ['UpdateItem', 1],
    ],
    kms: opened,
    stripe: 7,
    milliseconds: lasting({ dynamoDb: 5, kms: 1, stripeRead: 5, stripeWrite: 1 }),
  },
  {
    name: 'entitlements',
    functionName: 'billing-entitlements',
    dynamoDb: [limited, readOrganization(products.length)],
  },
  {
    // By a service client that sends the ETag of its copy: it has no membership to read.
    name: 'poll of entitlements, 304',
    functionName: 'billing-entitlements',
    dynamoDb: [limited, ['BatchGetItem', ofCaller + 1 + products.length]],
  },
  {
    name: 'products',
    functionName: 'billing-products',
    // Reads nothing else.
    dynamoDb: [limited, ['BatchGetItem', ofCaller]],
  },
  {
    name: 'subscriptions',
    functionName: 'billing-subscriptions',
    dynamoDb: [limited, readOrganization(products.length)],
  },
  {
    name: 'subscription',
    functionName: 'billing-subscription',
    dynamoDb: [limited, readOrganization(1)],
  },
  readAtStripe('invoices', 'billing-invoices', { slots: 0, stripe: 1 }),
  {
    name: 'invoice',
    functionName: 'billing-invoice',
    dynamoDb: [limited, readOrganization(0)],
    stripe: 1,
    milliseconds: lasting({ dynamoDb: 1, stripeRead: 1 }),
  },
  readAtStripe('billing details', 'billing-details', { slots: 0, stripe: 1 }),
  {
    // For a name. If the tax id changes, it takes another call each to list, add and remove.
    name: 'change of billing details',
    functionName: 'billing-details-update',
    dynamoDb: [limited, readOrganization(0), ['TransactWriteItems', 2]],
    kms: opened,
    stripe: 3,
    milliseconds: lasting({ dynamoDb: 2, kms: 1, stripeRead: 2, stripeWrite: 1 }),
  },
  {
    name: 'token for a code',
    functionName: 'oauth-token',
    dynamoDb: [limited, ...repeated(3, ['GetItem', 1]), ['TransactWriteItems', 3]],
    kms: signed,
    milliseconds: lasting({ dynamoDb: 5, kms: 1 }),
  },
  {
    // The id_token takes another signature.
    name: 'tokens for a code, with an id_token',
    functionName: 'oauth-token',
    dynamoDb: [limited, ...repeated(3, ['GetItem', 1]), ['TransactWriteItems', 3]],
    kms: signedTwice,
    milliseconds: lasting({ dynamoDb: 5, kms: 2 }),
  },
  {
    // If its use was noted within the hour; the note is another kilobyte.
    name: 'token refresh',
    functionName: 'oauth-token',
    dynamoDb: [limited, ...repeated(3, ['GetItem', 1]), ['TransactWriteItems', 3]],
    kms: signed,
    milliseconds: lasting({ dynamoDb: 5, kms: 1 }),
  },
  {
    // If there is a single session with a single client; each further family is another read.
    name: 'sessions',
    functionName: 'users-me-sessions',
    dynamoDb: [limited, ['Query', 1], ['BatchGetItem', ofCaller], ['GetItem', 1]],
  },
  {
    // If a client got it without a browser session, whose cookie would end too.
    name: 'end of a session',
    functionName: 'users-me-session-end',
    dynamoDb: [
      limited,
      ['BatchGetItem', ofCaller],
      ['UpdateItem', 1],
      ...repeated(2, ['Query', 1]),
      ...repeated(2, ['PutItem', 1]),
    ],
    logBytes: 320,
  },
  {
    name: 'token of an API client',
    functionName: 'oauth-token',
    // The last write notes the use. For the rest of the hour its condition refuses it, at the same price.
    dynamoDb: [limited, ['GetItem', 1], ['UpdateItem', 1]],
    kms: signed,
    milliseconds: lasting({ dynamoDb: 3, kms: 1 }),
  },
  {
    name: 'users/me',
    functionName: 'users-me',
    dynamoDb: [limited, ['BatchGetItem', ofCaller]],
  },
  {
    // A scheduled end: slot, entry of the audit log, mail and event.
    name: 'webhook, a change',
    functionName: 'stripe-webhook',
    dynamoDb: [readSlot, ['TransactWriteItems', 4]],
    indexWrites: 1,
    stripe: 1,
    logBytes: 1100,
    milliseconds: lasting({ dynamoDb: 2, stripeRead: 1 }),
  },
  {
    // Fetches the subscription, lists its open invoices and previews the next one.
    name: 'webhook, an invoice was sent',
    functionName: 'stripe-webhook',
    // Slot, mail and event.
    dynamoDb: [readSlot, ['TransactWriteItems', 3]],
    indexWrites: 1,
    stripe: 3,
    logBytes: 1100,
    milliseconds: lasting({ dynamoDb: 2, stripeRead: 3 }),
  },
  {
    name: 'webhook, delivered again',
    functionName: 'stripe-webhook',
    dynamoDb: [readSlot],
    logBytes: 1200,
  },
  { ...everyMinute('sweep with nothing to do', 'billing-sweep', readDue), logBytes: 600 },
  everyMinute('relay of events with nothing due', 'events-relay', readDue),
  everyMinute('deliveries with nothing due', 'events-deliver', readDue),
  {
    // No endpoint wants them. Organization and operator have a query of endpoints each; then the count, the event and its outbox item, twice.
    name: 'relay of a purchase',
    functionName: 'events-relay',
    dynamoDb: [readDue, ['GetItem', 1], ...repeated(3, ['Query', 1]), ...repeated(3, ['TransactWriteItems', 3])],
    indexWrites: 3,
    milliseconds: lasting({ dynamoDb: 6 }),
  },
  // Of mails about money, and of disabled endpoints.
  everyMinute('mails about money with nothing due', 'billing-mails', ['Query', 1], ['Query', 1]),
  {
    // The due mails and a claim; account, members and their profiles; the budget, and the mail's end.
    name: 'mail about money',
    functionName: 'billing-mails',
    dynamoDb: [
      ['Query', 1],
      ['Query', 1],
      ['UpdateItem', 1],
      ['BatchGetItem', 1],
      ['Query', 1],
      ['BatchGetItem', 2],
      ['UpdateItem', 1],
      ['DeleteItem', 1],
    ],
    kms: opened,
    // The billing address, and the names of the products.
    stripe: 2,
    logBytes: 300,
    milliseconds: lasting({ dynamoDb: 7, kms: 1, stripeRead: 2, mail: 1 }),
  },
  {
    name: 'reconciliation that is not due',
    functionName: 'billing-reconcile',
    dynamoDb: [['GetItem', 1]],
    monthly: 2890,
  },
  {
    name: 'reconciliation of 1,000 subscriptions',
    functionName: 'billing-reconcile',
    dynamoDb: reconciled(RECONCILED.subscriptions),
    stripe: 5 + RECONCILED.subscriptions / ROWS,
    logBytes: 1300,
    // Writes ten marks at a time.
    milliseconds: lasting({
      dynamoDb: 6 + RECONCILED.subscriptions / 10 + (2 * RECONCILED.subscriptions) / ROWS,
      stripeRead: 5 + RECONCILED.subscriptions / ROWS,
    }),
    monthly: 30.4,
  },
  ...accountOperations,
  ...deviceOperations,
])

/** The events that reach the webhook, in order, until the purchase or renewal is paid. A test counts them. */
export const deliveries = {
  'a purchase with a card': [
    'customer.subscription.created',
    'invoice.finalized',
    'invoice.paid',
    'customer.subscription.updated',
  ],
  'a renewal with a card': ['customer.subscription.updated', 'invoice.finalized', 'invoice.paid'],
  'a purchase by invoice': ['customer.subscription.created', 'invoice.finalized', 'invoice.paid'],
  'a renewal by invoice': ['customer.subscription.updated', 'invoice.finalized', 'invoice.paid'],
} as const
