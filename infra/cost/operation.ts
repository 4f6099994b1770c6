import type { FunctionName } from '../manifest.ts'

/**
 * A request to DynamoDB, and what it is charged for: of a read its items (4 KB at most), half where it is not consistent; of a query one such
 * piece; of a write the kilobytes, each item's rounded up. A transaction is charged twice for each.
 */
export type DynamoDbRequest = readonly [
  kind:
    | 'GetItem'
    | 'BatchGetItem'
    | 'TransactGetItems'
    | 'Query'
    | 'Scan'
    | 'PutItem'
    | 'UpdateItem'
    | 'DeleteItem'
    | 'TransactWriteItems',
  count: number,
]

/** What one run of an operation does. Everything but `milliseconds` is counted by a test. */
export interface Operation {
  readonly name: string
  readonly functionName: FunctionName
  readonly dynamoDb: readonly DynamoDbRequest[]
  /** Writes that DynamoDB makes into indexes: one as a slot gets into `pending`, one as it gets out, one for a customer's digest. */
  readonly indexWrites: number
  readonly kms: { readonly symmetric: number; readonly asymmetric: number }
  /** Requests to Stripe, which cost time. */
  readonly stripe: number
  /** Lines of the function's own log, metrics included, at most. */
  readonly logBytes: number
  /** An assumption: how long it runs, most of it waiting. */
  readonly milliseconds: number
  /** How often a month; a million times, at no set pace, where left out. */
  readonly monthly?: number
}

/** A guess as well: how long a call computes with 512 MB. */
export const OWN_MILLISECONDS = 8

/**
 * Guesses, not measurements: steps that wait for each other, in milliseconds. Lines of a cart are bought one after another, so
 * that each lengthens it by its call to Stripe and its settling write. A password's hash is computed, with the memory of what computes it.
 */
const wait = {
  own: OWN_MILLISECONDS,
  dynamoDb: 6,
  kms: 10,
  stripeRead: 150,
  stripeWrite: 700,
  mail: 100,
  password: 150,
} as const

/** Milliseconds of a call that waits for so many steps, one after another. */
export function lasting(steps: Partial<Record<Exclude<keyof typeof wait, 'own'>, number>>): number {
  const { dynamoDb = 0, kms = 0, stripeRead = 0, stripeWrite = 0, mail = 0, password = 0 } = steps
  const own = wait.own + password * wait.password
  const others = stripeRead * wait.stripeRead + stripeWrite * wait.stripeWrite + mail * wait.mail
  return own + dynamoDb * wait.dynamoDb + kms * wait.kms + others
}

export const noKms = { symmetric: 0, asymmetric: 0 } as const
export const opened = { symmetric: 1, asymmetric: 0 } as const
export const signed = { symmetric: 0, asymmetric: 1 } as const
export const signedTwice = { symmetric: 0, asymmetric: 2 } as const
/** The count of a principal's requests, on every endpoint. */
export const limited: DynamoDbRequest = ['UpdateItem', 1]
/** Whether the caller's grant is live: the account, and whether the family was revoked. In the same call as what is read first. */
export const ofCaller = 2
