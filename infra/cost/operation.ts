import type { FunctionName } from '../manifest.ts'

/**
 * A request to DynamoDB and its charge. A read is charged by items (4 KB at most), half if it is eventually consistent; a query by a single 4 KB
 * piece; a write by kilobytes, rounded up for each item. A transaction is charged twice.
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

/** The calls of a run of an operation. A test counts everything except `milliseconds`. */
export interface Operation {
  readonly name: string
  readonly functionName: FunctionName
  readonly dynamoDb: readonly DynamoDbRequest[]
  /** Writes of DynamoDB to indexes: when a slot enters `pending`, when it leaves, for a customer's digest, and when an event enters `due` or leaves. */
  readonly indexWrites: number
  readonly kms: { readonly symmetric: number; readonly asymmetric: number }
  /** Requests to Stripe, which cost time. */
  readonly stripe: number
  /** Lines of the function's own log, metrics included, at most. */
  readonly logBytes: number
  /** Assumed run time, mostly waiting. */
  readonly milliseconds: number
  /** Runs per month. If left out, the operation has no schedule, and its price is per million. */
  readonly monthly?: number
}

/** What an operation has if it does not say otherwise: calls to DynamoDB only. */
const defaults = { indexWrites: 0, kms: { symmetric: 0, asymmetric: 0 }, stripe: 0, logBytes: 0 } as const

/** The same request several times. */
export function repeated(times: number, request: DynamoDbRequest): readonly DynamoDbRequest[] {
  return Array.from({ length: times }, () => request)
}

/** Also a guess: the computing time of a call with 512 MB. */
export const OWN_MILLISECONDS = 8

/**
 * Guesses, not measurements: steps that wait for each other, in milliseconds. A cart's lines are bought in sequence, so each line adds its call to
 * Stripe and its settling write. A password's hash takes computing time, with the memory of the function that computes it.
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

/** Milliseconds of a call that waits for so many steps in sequence. */
export function lasting(steps: Partial<Record<Exclude<keyof typeof wait, 'own'>, number>>): number {
  const { dynamoDb = 0, kms = 0, stripeRead = 0, stripeWrite = 0, mail = 0, password = 0 } = steps
  const own = wait.own + password * wait.password
  const others = stripeRead * wait.stripeRead + stripeWrite * wait.stripeWrite + mail * wait.mail
  return own + dynamoDb * wait.dynamoDb + kms * wait.kms + others
}

export const opened = { symmetric: 1, asymmetric: 0 } as const
export const signed = { symmetric: 0, asymmetric: 1 } as const
export const signedTwice = { symmetric: 0, asymmetric: 2 } as const
/** The count of a principal's requests, on every endpoint. */
export const limited: DynamoDbRequest = ['UpdateItem', 1]
/** The check if the caller's grant is live: reads the account and the token family, in the same call as the operation's first read. */
export const ofCaller = 2

/** A run by the schedule of every minute. */
export function everyMinute(name: string, functionName: FunctionName, ...dynamoDb: readonly DynamoDbRequest[]) {
  return { name, functionName, dynamoDb, monthly: 43_800 }
}

/**
 * Operations from rows that say how they differ from the defaults. By default an operation waits for its requests to DynamoDB in sequence; the
 * count of the caller's requests waits for nothing.
 */
export function withDefaults(
  rows: readonly (Omit<Operation, keyof typeof defaults | 'milliseconds'> & Partial<Operation>)[],
): readonly Operation[] {
  return rows.map((row) => {
    const inSequence = row.dynamoDb.filter((request) => request !== limited)
    return { ...defaults, milliseconds: lasting({ dynamoDb: inSequence.length }), ...row }
  })
}
