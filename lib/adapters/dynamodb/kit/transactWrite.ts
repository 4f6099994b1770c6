import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { CommonError } from '../../../core/errors.ts'
import { callStore, retryConflicts, storeUnavailable } from './callStore.ts'
import type { Item } from './readItems.ts'

/** One write, or one check of a condition, of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The items of a transaction by name, in the order in which they are sent. A name holds one item, a list, or nothing. */
export type NamedItems<Name extends string> = Readonly<
  Partial<Record<Name, TransactItem | readonly TransactItem[] | undefined>>
>

/** The store wrote all items of a transaction, or none. */
export type TransactResult<Name extends string> = { readonly kind: 'written' } | Refusal<Name>

/** A canceled transaction. */
export interface Refusal<Name extends string> {
  readonly kind: 'refused'
  /** The names with a failed condition; empty if another transaction was in the way (`transactWriteOrConflict`). */
  readonly failed: ReadonlySet<Name>
  /** The stored item under the key of a failed condition, if its write asks for it (`ALL_OLD`). */
  readonly stored: Readonly<Partial<Record<Name, Item>>>
}

/**
 * Writes all items or none.
 * @throws CommonError `service_unavailable` for every failure except a failed condition; conflicts are tried up to 3 times
 */
export async function transactWrite<Name extends string>(
  client: DynamoDBDocumentClient,
  items: NamedItems<Name>,
): Promise<TransactResult<Name>> {
  const named = inOrder(items)
  try {
    const TransactItems = named.map(({ item }) => item)
    await retryConflicts(() => client.send(new TransactWriteCommand({ TransactItems })))
    return { kind: 'written' }
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : []
    // DynamoDB gives one reason per item, in the order of the items.
    const failures = named.flatMap(({ name }, at) => {
      const reason = reasons[at]
      return reason && conditionFailed(reason) ? [{ name, stored: reason.Item }] : []
    })
    if (failures.length === 0) throw storeUnavailable(error)
    return refusal(failures)
  }
}

/**
 * Like `transactWrite`, but sends a put without company as a plain put, for half the price. If the answer is lost, the SDK may send the put
 * twice; the second then fails on the first, which `stored` shows.
 */
export async function writeAll<Name extends string>(
  client: DynamoDBDocumentClient,
  items: NamedItems<Name>,
): Promise<TransactResult<Name>> {
  const [first, ...others] = inOrder(items)
  const put = first?.item.Put
  if (!first || !put || others.length > 0) return transactWrite(client, items)
  try {
    await callStore(() => client.send(new PutCommand(put)))
    return { kind: 'written' }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return refusal([{ name: first.name, stored: error.Item }])
  }
}

/**
 * Like `transactWrite`, but a conflict that outlasts the retries is a refusal too, without a failed name: what you read before the write may be
 * outdated.
 */
export async function transactWriteOrConflict<Name extends string>(
  client: DynamoDBDocumentClient,
  items: NamedItems<Name>,
): Promise<TransactResult<Name>> {
  try {
    return await transactWrite(client, items)
  } catch (error) {
    if (isConflict(error)) return refusal([])
    throw error
  }
}

/** Whether the condition of this name is the only one that failed. */
export function hasOnlyFailed<Name extends string>({ failed }: Refusal<Name>, name: NoInfer<Name>): boolean {
  return failed.size === 1 && failed.has(name)
}

function inOrder<Name extends string>(items: NamedItems<Name>): { name: Name; item: TransactItem }[] {
  const names = Object.keys(items) as Name[]
  return names.flatMap((name) => {
    const item: TransactItem | readonly TransactItem[] = items[name] ?? []
    return [item].flat().map((each: TransactItem) => ({ name, item: each }))
  })
}

/** Cancellation reasons keep the attribute values of the wire, even through the document client. */
function refusal<Name extends string>(
  failures: readonly { name: Name; stored: CancellationReason['Item'] }[],
): Refusal<Name> {
  const stored: Partial<Record<Name, Item>> = {}
  for (const failure of failures) if (failure.stored) stored[failure.name] = unmarshall(failure.stored)
  return { kind: 'refused', failed: new Set(failures.map(({ name }) => name)), stored }
}

function conditionFailed(reason: CancellationReason): boolean {
  return reason.Code === 'ConditionalCheckFailed'
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof CommonError && error.cause instanceof TransactionCanceledException)) return false
  return (error.cause.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
}
