import { failureMembers } from './failure.ts'
import { field } from './field.ts'

/** One call of an AWS client, with all of its attempts. */
export interface AwsCall {
  /** As the SDK calls them: `DynamoDBClient`, `GetItemCommand`. */
  readonly clientName: string
  readonly commandName: string
  readonly input: unknown
}

/**
 * What a document says of a call: the operation, its tables, the request's id, how often it was repeated, and what became of it. Nothing of
 * what was read or written.
 * @param outcome the SDK's output, or its error
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html#api-segmentdocuments-aws
 */
export function awsMembers(call: AwsCall, outcome: { output: unknown } | { error: unknown }, region: string): object {
  const error = 'error' in outcome ? outcome.error : undefined
  const metadata = field('error' in outcome ? outcome.error : outcome.output, '$metadata')
  const [requestId, attempts, status] = ['requestId', 'attempts', 'httpStatusCode'].map((name) => field(metadata, name))
  const answered = typeof status === 'number' ? status : undefined
  return {
    aws: {
      operation: call.commandName.replace(/Command$/, ''),
      region,
      ...(typeof requestId === 'string' && { request_id: requestId }),
      retries: typeof attempts === 'number' ? attempts - 1 : 0,
      ...tablesMembers(tablesOf(call.input)),
    },
    ...(answered !== undefined && { http: { response: { status: answered } } }),
    ...failureMembers(answered, error),
  }
}

/** The tables that an operation of DynamoDB names: one, one for each part of a transaction, or several of a batch. */
function tablesOf(input: unknown): readonly string[] {
  const items = field(input, 'TransactItems')
  const parts = Array.isArray(items) ? items.flatMap((item: object) => Object.values(item)) : [input]
  const names = parts.map((part) => field(part, 'TableName'))
  const ofBatch = field(input, 'RequestItems')
  const all = [...names, ...(typeof ofBatch === 'object' && ofBatch !== null ? Object.keys(ofBatch) : [])]
  return [...new Set(all.filter((name) => typeof name === 'string'))]
}

/** `table_names` is what AWS's own SDK for X-Ray calls those of a batch. */
function tablesMembers([first, ...others]: readonly string[]): object {
  if (first === undefined) return {}
  return others.length === 0 ? { table_name: first } : { table_names: [first, ...others] }
}
