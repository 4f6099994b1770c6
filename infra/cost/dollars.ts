import { type FunctionRow, manifest } from '../manifest.ts'
import { RECONCILED } from './calls.ts'
import { type DynamoDbRequest, type Operation, OWN_MILLISECONDS } from './operation.ts'
import { prices } from './prices.ts'

const rows: readonly FunctionRow[] = manifest
const GIGABYTE = 2 ** 30
/** The memory that the assumed computing times are for. */
const COMPUTED_AT_MB = 512

/** Assumed values, not measured; the report shows how the total changes if they differ. Sizes in bytes. */
export interface Assumptions {
  readonly durationFactor: number
  readonly kmsFactor: number
  /** Factor on the size of items; the measured items have 1 KB at most. */
  readonly itemFactor: number
  /** The share of invocations, and how long each is billed, at 512 MB. */
  readonly coldStarts: { readonly share: number; readonly milliseconds: number }
  /** Lambda's own two lines for an invocation, and the API's access log for a request. */
  readonly platformLogBytes: number
  readonly accessLogBytes: number
  readonly answerBytes: number
}

export const assumptions: Assumptions = {
  durationFactor: 1,
  kmsFactor: 1,
  itemFactor: 1,
  coldStarts: { share: 0.01, milliseconds: 250 },
  platformLogBytes: 700,
  accessLogBytes: 450,
  answerBytes: 1024,
}

/** Dollars by service. */
export type Dollars = Readonly<Record<'api' | 'lambda' | 'dynamoDb' | 'kms' | 'logs' | 'traffic', number>>

/** The cost of reaching a function, without its invocation. */
const callPrices: Record<FunctionRow['trigger']['kind'], number> = {
  http: prices.httpApiRequest.dollars,
  unmatched: prices.httpApiRequest.dollars,
  url: 0,
  schedule: prices.schedulerRun.dollars,
}

/** The cost of a run of an operation. */
export function dollarsOf(operation: Operation, given: Assumptions = assumptions): Dollars {
  const row = rows.find(({ name }) => name === operation.functionName)
  if (row === undefined) throw new Error(`No function ${operation.functionName}`)
  const { kind } = row.trigger
  const { coldStarts } = given
  // The processor share grows with memory: if there is less memory, computing takes proportionally longer, but waiting does not.
  const slower = COMPUTED_AT_MB / row.memoryMb
  const milliseconds = operation.milliseconds + OWN_MILLISECONDS * (slower - 1)
  const cold = coldStarts.share * coldStarts.milliseconds * slower
  const seconds = (milliseconds * given.durationFactor + cold) / 1000
  const { reads, writes } = unitsOf(operation, given.itemFactor)
  const { symmetric, asymmetric } = operation.kms
  const logBytes = operation.logBytes + given.platformLogBytes + (kind === 'http' ? given.accessLogBytes : 0)
  return {
    api: callPrices[kind],
    lambda: prices.lambdaRequest.dollars + (row.memoryMb / 1024) * seconds * prices.lambdaGbSecond.dollars,
    dynamoDb: reads * prices.readUnit.dollars + writes * prices.writeUnit.dollars,
    kms: (symmetric * prices.kmsSymmetric.dollars + asymmetric * prices.kmsSignRsa2048.dollars) * given.kmsFactor,
    logs: (logBytes / GIGABYTE) * prices.logGigabyte.dollars,
    traffic: kind === 'schedule' ? 0 : (given.answerBytes / GIGABYTE) * prices.outGigabyte.dollars,
  }
}

export function sumOf(dollars: Dollars): number {
  return Object.values(dollars).reduce((sum, part) => sum + part, 0)
}

/** DynamoDB's request units: a read unit is 4 KB read consistently, a write unit 1 KB. In a transaction both count twice. */
export function unitsOf(
  { dynamoDb, indexWrites }: Pick<Operation, 'dynamoDb' | 'indexWrites'>,
  itemFactor = 1,
): { reads: number; writes: number } {
  const reads = (items: number) => ({ reads: items * Math.ceil(itemFactor / 4), writes: 0 })
  const writes = (kilobytes: number) => ({ reads: 0, writes: kilobytes * itemFactor })
  const scanned = RECONCILED.subscriptions * RECONCILED.bytesEach * itemFactor
  const units: Record<DynamoDbRequest[0], (count: number) => { reads: number; writes: number }> = {
    GetItem: reads,
    BatchGetItem: reads,
    TransactGetItems: (items) => reads(2 * items),
    Query: reads,
    Scan: () => ({ reads: Math.ceil(scanned / 4096), writes: 0 }),
    PutItem: writes,
    UpdateItem: writes,
    DeleteItem: writes,
    TransactWriteItems: (kilobytes) => writes(2 * kilobytes),
  }
  const all = dynamoDb.map(([kind, count]) => units[kind](count))
  return {
    reads: all.reduce((sum, each) => sum + each.reads, 0),
    writes: all.reduce((sum, each) => sum + each.writes, indexWrites),
  }
}
