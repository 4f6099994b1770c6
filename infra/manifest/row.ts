import type { TableName, tables } from '../../lib/adapters/dynamodb/tables.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** How a function is reached: a route of the HTTP API, every route that nothing else matches, a Lambda URL of its own, or a schedule. */
export type Trigger =
  | {
      readonly kind: 'http'
      readonly method: Method
      readonly path: `/api/${string}` | `/.well-known/${string}`
      /** A read that answers `POST` as well, where a standard wants both. */
      readonly alsoPost?: true
    }
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'url' }
  | { readonly kind: 'schedule'; readonly every: 'minute' | '15 minutes' | 'day' }

type DynamoDbAction =
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

/** Sample events of a function by their case: `new-card` is `events/<name>.new-card.json`. At least one of the two is given. */
interface Samples {
  /** Succeeds after all of the function's work: what `npm run invoke` sends where no file is named. */
  readonly served?: string
  /** Refused without a call to any neighbor. */
  readonly refused?: string
}

/** One function with everything that is said of it by its name. */
export interface FunctionRow {
  /** Folder under `functions/`, and the name on AWS. */
  readonly name: string
  /**
   * The operation's name in the OpenAPI document, of which generators make a method: a verb in camelCase, `createCheckout`. Every JSON
   * endpoint has one; hosted pages, which the document leaves out, have none.
   */
  readonly operationId?: string
  readonly summary: string
  /** What a caller needs to know that neither the summary nor a schema says; CommonMark, in the OpenAPI document. */
  readonly note?: string
  readonly trigger: Trigger
  /** `any` for a public document, whose answers every page may read; see `crossOriginOf`. */
  readonly crossOrigin?: 'any'
  /** Who may call it. */
  readonly caller: 'anyone' | 'client' | 'user' | 'member' | 'billing admin' | 'owner' | 'stripe' | 'schedule'
  readonly samples: Samples
  /**
   * For each principal: the signed-in user; for clients, a client at one source IP; for anyone, the source IP. Not limited where left out.
   * While requests cannot be counted, `open` serves them and `closed`, for endpoints at which secrets can be guessed, answers 503.
   */
  readonly rateLimit?: { readonly requestsPerMinute: number; readonly failMode: 'open' | 'closed' }
  readonly tables: { readonly [Name in TableName]?: readonly DynamoDbAction[] }
  /** The indexes of the table `billing` that its `Query` is for; where left out, it is for the tables themselves. */
  readonly indexes?: readonly (typeof tables.billing.indexes)[number]['name'][]
  /** `customer` and `totp` are one key, each use of it bound to an encryption context of its own. */
  readonly kms: {
    readonly customer?: readonly KmsUse[]
    readonly totp?: readonly KmsUse[]
    readonly token?: readonly KmsUse[]
  }
  /** Gets the public half of the token key though its callers carry no access token: it verifies tokens in a body, or publishes the key. */
  readonly holdsPublicKey?: true
  readonly secrets: readonly SecretName[]
  /** Takes new passwords, and judges them. */
  readonly setsPassword?: true
  /** Answers with the service’s name, from the stage’s branding. Pages, mails and passkeys have it anyway. */
  readonly namesService?: true
  /** Makes or verifies what passkeys sign, for the issuer as the relying party. Endpoints under `/api/oauth/` know the issuer anyway. */
  readonly passkeys?: true
  /** Sends mail, from the stage’s address. */
  readonly mail?: true
  readonly memoryMb: number
  readonly timeoutSeconds: number
}

/** Which pages of other origins may read answers: every page, those of clients' redirect URIs, or none. */
export type CrossOrigin = 'any' | 'registered' | 'none'

/**
 * Which pages of other origins may read the answers of a row: of JSON endpoints, and of the answers 404 and 405 to other requests, those
 * of registered clients; none of hosted pages, where a person acts, and of what no browser calls.
 */
export function crossOriginOf({ crossOrigin, operationId, trigger }: Row): CrossOrigin {
  if (crossOrigin !== undefined) return crossOrigin
  return operationId !== undefined || trigger.kind === 'unmatched' ? 'registered' : 'none'
}

/**
 * Whether a row's callers carry an access token. The function verifies it itself, and reads of the table `accounts` whether its grant is
 * live, in the call that reads what the operation is about. No row lists that read.
 */
export function carriesToken({ caller }: Pick<Row, 'caller'>): boolean {
  return withToken[caller]
}

/**
 * Whether a row may write what was bought: slots, entitlements and coupons change by what was asked of Stripe, and by nothing else. The others
 * may write organizations, members and invitations only.
 */
export function writesProducts({ secrets = [] }: Pick<Row, 'secrets'>): boolean {
  return secrets.includes('stripeSecretKey')
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

/** What a row says where it leaves these out. */
export const defaults = { tables: {}, kms: {}, secrets: [], memoryMb: 512, timeoutSeconds: 10 } as const

/** A row as it is written: what differs from the defaults. */
export type Row = Omit<FunctionRow, keyof typeof defaults> & Partial<Pick<FunctionRow, keyof typeof defaults>>
