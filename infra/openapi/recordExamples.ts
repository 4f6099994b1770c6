import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { matchPath } from '../../lib/http/request/pathTemplate.ts'
import { localAudience } from '../data/demo.ts'
import { localClient } from '../local/localClient.ts'
import { PROVIDER_PATH } from '../local/provider/openProvider.ts'
import { samplesOf } from '../local/samples/readSamples.ts'
import { fillSampleEvent } from '../local/samples/sampleEvent.ts'
import { startStack } from '../local/stack.ts'
import { operations } from './document.ts'
import { exampleRequestId } from './errorExamples.ts'
import { type RecordedExample, type RecordedExamples, recordedExample } from './examples.ts'
import type { HttpRow, Operation } from './operation.ts'
import { isRequest, sendSampleEvent } from './sendSampleEvent.ts'

/** Its answer is this very document. */
const withoutExamples: readonly string[] = ['openapi']

/** The samples of operations that the document shows, with their rows. */
export async function exampleSamples(): Promise<{ row: Operation['row']; sample: string }[]> {
  const rows = (await operations()).map(({ row }) => row).filter(({ name }) => !withoutExamples.includes(name))
  return rows.flatMap((row) => Object.keys(samplesOf(row.name)).map((sample) => ({ row, sample })))
}

/**
 * Sends every operation's samples to a local stack of its own and writes down what was sent and answered. What looks as it did
 * before is kept, so that ids and times change only when something else does.
 */
export async function recordExamples(before: RecordedExamples): Promise<RecordedExamples> {
  const stack = await startStack({ quiet: true })
  try {
    const client = localClient(stack.info)
    const recorded: Record<string, Record<string, RecordedExample>> = {}
    for (const { row, sample } of await exampleSamples()) {
      const { event, expectedStatus } = await fillSampleEvent(client, row.name, sample)
      if (!isRequest(event)) throw new Error(`${row.name} ${sample} is no request`)
      const { status, body } = await sendSampleEvent(event, stack.info.base_url)
      if (status !== expectedStatus) {
        throw new Error(`${row.name} ${sample} was answered ${status}: ${JSON.stringify(body)}`)
      }
      const example = { request: requestOf(event, row), response: { status, ...(body !== undefined && { body }) } }
      const earlier = before[row.name]?.[sample]
      const kept = earlier && looksAs(earlier, example) ? earlier : asPublished(example, stack.info.issuer)
      recorded[row.name] = { ...recorded[row.name], [sample]: kept }
    }
    return recorded
  } finally {
    await stack.close()
  }
}

function requestOf(event: APIGatewayProxyEventV2, { trigger }: HttpRow): RecordedExample['request'] {
  const contentType = event.headers['content-type']
  return {
    path: matchPath(trigger.path, event.rawPath) ?? {},
    query: Object.fromEntries(new URLSearchParams(event.rawQueryString)),
    ...(contentType !== undefined && { contentType }),
    ...(event.body !== undefined && { body: parsed(event.body, contentType) }),
  }
}

function parsed(body: string, contentType: string | undefined): unknown {
  return contentType === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(body))
    : JSON.parse(body)
}

/**
 * Access tokens are long and mean nothing to a reader: they are cut after the header. Addresses of the local stack become addresses that a
 * reader expects.
 */
function asPublished({ request, response }: RecordedExample, issuer: string): RecordedExample {
  const text = JSON.stringify(response)
    .replaceAll(/(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g, '$1...')
    .replaceAll(/"request_id":"[^"]+"/g, `"request_id":"${exampleRequestId}"`)
    .replaceAll(issuer, localAudience)
    .replaceAll(/"rpId":"[^"]+"/g, `"rpId":"${new URL(localAudience).hostname}"`)
  const example = JSON.stringify({ request, response: JSON.parse(text) })
    .replaceAll('hooks.localhost', 'hooks.example.com')
    .replaceAll(issuer + PROVIDER_PATH, 'https://login.example.com')
    .replaceAll(localAudience + PROVIDER_PATH, 'https://login.example.com')
  return recordedExample.parse(JSON.parse(example))
}

/** Whether two examples differ only in ids, times and the like: if other products are sold, they name other ones. */
export function looksAs(earlier: unknown, example: unknown): boolean {
  return shapeOf(earlier) === shapeOf(example) && soldIn(earlier) === soldIn(example)
}

/** The codes of products that an example names, as text. */
function soldIn(example: unknown): string {
  const members = JSON.stringify(example).matchAll(
    /"(?:products?|plan_code|product_codes?|msg)":("[^"]*"|\["[^\]]*\])/g,
  )
  return [...new Set([...members].flatMap(([, codes = '']) => codes.match(/[\w-]+/g) ?? []))].sort().join()
}

/** The shape of a JSON value as text: its members and the types of their values; of a list the shapes in it, each once. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join(', ')}]`
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shapeOf(member)}`)
  return `{ ${members.sort().join(', ')} }`
}
