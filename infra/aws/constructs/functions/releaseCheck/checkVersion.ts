import * as z from 'zod/mini'
import { apiClientIdSchema, partsOfApiClientId } from '../../../../../lib/core/ids.ts'
import { releaseCheckReport } from '../../../../../lib/http/endpoint/releaseCheck.ts'
import { edgeHeaders } from '../../../../../lib/http/security/clientNetwork.ts'
import { type FunctionRow, servesRelease } from '../../../../manifest/row.ts'

/**
 * The outcome of an invocation: the function's answer, or its failure (`X-Amz-Function-Error`), or `no room` if Lambda answered 429 until the
 * wait was over.
 */
type Invoked = { readonly functionError: string | undefined; readonly payload: string } | 'no room'

/** Calls a version of a function. Rejects if Lambda cannot. */
export type Invoke = (functionName: string, version: string, event: object) => Promise<Invoked>

type CheckedRow = Pick<FunctionRow, 'trigger' | 'caller' | 'canaryReads'>

/** The version to check: its function's row, and the names on AWS. */
interface NewVersion {
  readonly row: CheckedRow
  readonly functionName: string
  readonly version: string
}

const answer = z.object({ statusCode: z.int().check(z.gte(200), z.lte(499)) })

/** What the check sends beside the call: the firewall's key, and the reader whose read the version serves. Both if the stage has them. */
export interface CheckSettings {
  readonly edgeKey?: string | undefined
  readonly reader?: string | undefined
}

/**
 * Sends a version without traffic an event that has no side effects: it must start with its settings and not answer 5xx. If it reads for callers
 * with a token, it must then serve a read (`servesRelease`). A scheduled function must pass its check, unless its own run holds the only reserved
 * execution all the time: that is not the new version's fault.
 * @throws Error that says what the version did instead
 */
export async function checkVersion(checked: NewVersion, invoke: Invoke, { edgeKey, reader }: CheckSettings = {}) {
  const { row } = checked
  const status = await checkAnswer(checked, checkEventOf(row, edgeKey), invoke)
  if (reader === undefined || !servesRelease(row)) return status
  const wanted = reader !== 'unknown_user' && row.canaryReads ? 200 : 401
  const read = await checkAnswer(checked, readEventOf(row, reader, edgeKey), invoke)
  if (read === wanted) return read
  throw new Error(`${checked.functionName}:${checked.version} answered a read with ${read} instead of ${wanted}`)
}

async function checkAnswer({ row, functionName, version }: NewVersion, event: object, invoke: Invoke) {
  const invoked = await invoke(functionName, version, event)
  const name = `${functionName}:${version}`
  const isSchedule = row.trigger.kind === 'schedule'
  if (invoked === 'no room') {
    if (isSchedule) return invoked
    throw new Error(`${name}: ${invoked}`)
  }
  const { functionError, payload } = invoked
  // Leave the error's text to the function's log: it may quote secrets or the event.
  if (functionError !== undefined) throw new Error(`${name} failed: ${functionError}`)
  const answered: unknown = JSON.parse(payload)
  if (isSchedule) {
    if (!releaseCheckReport.safeParse(answered).success) throw new Error(`${name} did not take the check for one`)
    return 'passed'
  }
  const { success, data } = answer.safeParse(answered)
  if (!success) throw new Error(`${name} answered a fault`)
  return data.statusCode
}

/** The event of a read by the stage's reader, of the organization that the canary is a client of. */
export function readEventOf(row: CheckedRow, reader: string, edgeKey?: string): object {
  const client = apiClientIdSchema.safeParse(reader).data
  const organization_id = client === undefined ? NO_ORGANIZATION : partsOfApiClientId(client).organizationId
  return {
    ...checkEventOf(row, edgeKey),
    rawQueryString: `organization_id=${organization_id}`,
    pathParameters: { organization_id },
    release_read: true,
  }
}

const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/**
 * An event that a function answers without side effects: a call without a token, signature, parameter or body, as API Gateway or a Lambda
 * URL sends it (payload format 2.0). If the function serves a public document, it serves it. A scheduled function gets a check, not a run.
 * @param edgeKey the key that the firewall sends, if the stage has a firewall
 */
export function checkEventOf({ trigger }: Pick<FunctionRow, 'trigger'>, edgeKey?: string): object {
  if (trigger.kind === 'schedule') return { release_check: true }
  const method = trigger.kind === 'http' ? trigger.method : trigger.kind === 'url' ? 'POST' : 'GET'
  const path = trigger.kind === 'http' ? trigger.path.replace(/\{\w+\}/g, 'release-check') : '/release-check'
  const routeKey = trigger.kind === 'http' ? `${method} ${trigger.path}` : '$default'
  const now = new Date()
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'release-check.invalid', accept: '*/*', ...(edgeKey && { [edgeHeaders.key]: edgeKey }) },
    requestContext: {
      accountId: 'release-check',
      apiId: 'release-check',
      domainName: 'release-check.invalid',
      domainPrefix: 'release-check',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'release-check' },
      requestId: `release-check-${now.getTime()}`,
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    isBase64Encoded: false,
    // Functions that set or check passwords also make a hash.
    release_check: true,
  }
}
