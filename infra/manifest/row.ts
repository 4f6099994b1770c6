import type { IndexName, TableName } from '../../lib/adapters/dynamodb/tables.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a function is reached: a route of the HTTP API, all requests when no route matches, its own Lambda URL, or a schedule. */
export type Trigger =
  | {
      readonly kind: 'http'
      readonly method: Method
      readonly path: `/api/${string}` | `/.well-known/${string}`
      /** Also answers `POST`, if a standard requires both. */
      readonly alsoPost?: true
    }
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'url' }
  | {
      readonly kind: 'schedule'
      readonly every: 'minute' | '15 minutes' | 'day'
      /** Also runs at once with new items of the table `events`. */
      readonly stream?: StreamName
    }

/** Which records of the stream of the table `events` a function gets, as patterns of Lambda's event filtering. */
export const streams = {
  outbox: { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'OUTBOX#' }] } } } },
  deliveries: {
    dynamodb: {
      Keys: { sk: { S: [{ prefix: 'DELIVERY#' }] } },
      NewImage: { status: { S: ['pending'] }, attempts: { N: ['0'] } },
    },
  },
} as const

export type StreamName = keyof typeof streams

export type DynamoDbAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
export type KmsUse = 'Encrypt' | 'Decrypt' | 'Sign'
export type SecretName = 'stripeSecretKey' | 'stripeWebhookSecrets' | 'knownBrowserKey'

/** Samples of a function by their names in `events/`. At least `served` or `refused` is given. */
interface Samples {
  /** Succeeds after all of the function's work. `npm run invoke` sends it if no sample is named. */
  readonly served?: string
  /** Refused without a call to any neighbor. */
  readonly refused?: string
}

/** A function with all its settings. */
export interface FunctionRow {
  /** Folder under `functions/`, and the name on AWS. */
  readonly name: string
  /**
   * The operation's name in the OpenAPI document, a verb in camelCase such as `createCheckout`: generators make a method of it. Given if the row
   * is a JSON endpoint; the document leaves out hosted pages.
   */
  readonly operationId?: string
  readonly summary: string
  /** More for callers if the summary and the schemas do not say it; CommonMark, in the OpenAPI document. */
  readonly note?: string
  readonly trigger: Trigger
  /** `any` if every page may read the answers, as with a public document; see `crossOriginOf`. */
  readonly crossOrigin?: 'any'
  /** Who may call it. */
  readonly caller: 'anyone' | 'client' | 'user' | 'member' | 'billing admin' | 'owner' | 'stripe' | 'schedule'
  /** Reads what API clients may read: its contract asks for a scope that they can have. A new version must serve the stage's canary. */
  readonly canaryReads?: true
  readonly samples: Samples
  /**
   * Per principal: the signed-in user; for clients, the client at a source IP; for anyone, the source IP. Not limited if left out. When requests
   * cannot be counted, `open` serves them, and `closed` answers 503; use `closed` if callers could guess secrets at the endpoint.
   */
  readonly rateLimit?: { readonly requestsPerMinute: number; readonly failMode: 'open' | 'closed' }
  readonly tables: { readonly [Name in TableName]?: readonly DynamoDbAction[] }
  /** The indexes that it may `Query`. If there are indexes of the table `billing`, it may not query that table itself. */
  readonly indexes?: readonly IndexName[]
  /** `customer`, `totp`, `webhook` and `provider` are the same key, with a separate encryption context for each use. */
  readonly kms: {
    readonly customer?: readonly KmsUse[]
    readonly totp?: readonly KmsUse[]
    readonly webhook?: readonly KmsUse[]
    readonly provider?: readonly KmsUse[]
    readonly token?: readonly KmsUse[]
  }
  /** Gets the public token key and the issuer even if callers carry no access token: to verify tokens in a body, or to publish either. */
  readonly holdsPublicKey?: true
  readonly secrets: readonly SecretName[]
  /** Asks Stripe, and writes no purchase: in the table `billing` it may do what a row without the Stripe key may. */
  readonly asksStripe?: true
  /** Takes new passwords and rates them. */
  readonly setsPassword?: true
  /** Answers with the service’s name from the stage’s branding. Not needed if it has pages, mails or passkeys: these get the name anyway. */
  readonly namesService?: true
  /** Makes or verifies passkey challenges, with the issuer as the relying party. Endpoints under `/api/oauth/` get the issuer anyway. */
  readonly passkeys?: true
  /** Sends mail, from the stage’s address. */
  readonly mail?: true
  readonly memoryMb: number
  readonly timeoutSeconds: number
}

/**
 * Whether a row reads for a caller with a token and changes nothing. Before such a version gets traffic, it must serve a read: to the stage's
 * canary if it `canaryReads`, and otherwise to a user who does not exist, who is answered 401 after the first read.
 * The canary has none of what a path names beside its organization, so such rows are not asked.
 */
export function servesRelease({ trigger, caller }: Pick<FunctionRow, 'trigger' | 'caller'>): boolean {
  if (trigger.kind !== 'http' || trigger.method !== 'GET' || !carriesToken({ caller })) return false
  return !/\{(?!organization_id\})/.test(trigger.path)
}

/** Which pages of other origins may read answers: all pages, pages at clients' redirect URIs, or none. */
export type CrossOrigin = 'any' | 'registered' | 'none'

/**
 * Which pages of other origins may read the answers of a row. Pages of registered clients may if it is a JSON endpoint, or when it answers 404 and
 * 405 to unmatched requests. None may if it is a hosted page, or if no browser calls it.
 */
export function crossOriginOf({ crossOrigin, operationId, trigger }: Row): CrossOrigin {
  if (crossOrigin !== undefined) return crossOrigin
  return operationId !== undefined || trigger.kind === 'unmatched' ? 'registered' : 'none'
}

/**
 * Whether a row's callers carry an access token. The function verifies the token itself, and reads from the table `accounts` if its grant is live,
 * in the same call as the operation's first read. Rows do not list that read.
 */
export function carriesToken({ caller }: Pick<Row, 'caller'>): boolean {
  return withToken[caller]
}

/** Whether a row's callers act in an organization: its members and API clients. */
export function isOfOrganization({ caller }: Pick<Row, 'caller'>): boolean {
  return caller === 'member' || caller === 'billing admin' || caller === 'owner'
}

/**
 * Whether a row may write purchases: slots, entitlements and coupons change only when a function has asked Stripe. Other rows may write only
 * organizations, members and invitations.
 */
export function writesProducts({ secrets = [], asksStripe }: Pick<Row, 'secrets' | 'asksStripe'>): boolean {
  return secrets.includes('stripeSecretKey') && asksStripe !== true
}

const withToken: Readonly<Record<Row['caller'], boolean>> = {
  user: true,
  member: true,
  'billing admin': true,
  owner: true,
  anyone: false,
  client: false,
  stripe: false,
  schedule: false,
}

/** Values of the columns that a row leaves out. */
const defaults = { tables: {}, kms: {}, secrets: [], memoryMb: 512, timeoutSeconds: 10 } as const

/** A row as written: the columns that differ from the defaults, and in `tables` only what `forCallers` does not add. */
export type Row = Omit<FunctionRow, Defaulted> & Partial<Pick<FunctionRow, Defaulted>>

type Defaulted = keyof typeof defaults | 'samples'

/** The samples of a row that names none. */
const samplesOf: Readonly<Partial<Record<Row['caller'], Samples>>> = {
  user: { served: 'signed-in', refused: 'no-token' },
  member: { served: 'member' },
  'billing admin': { served: 'billing-admin' },
  owner: { served: 'owner' },
}

/** A function's row with all its settings. */
export function completed(row: Row): FunctionRow {
  const tables = { ...row.tables }
  for (const [table, action] of forCallers(row)) tables[table] = [...new Set([...(tables[table] ?? []), action])]
  return { ...defaults, samples: samplesOf[row.caller] ?? {}, ...row, tables }
}

/** What a function may do for its callers, before its own work: count their requests, and read their memberships. */
function forCallers(row: Row): readonly (readonly [TableName, DynamoDbAction])[] {
  return [
    ...(row.rateLimit ? ([['accounts', 'UpdateItem']] as const) : []),
    ...(isOfOrganization(row) ? ([['billing', 'BatchGetItem']] as const) : []),
  ]
}
