import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { matchPath } from '../../lib/http/request/pathTemplate.ts'
import { localAudience } from '../data/demo.ts'
import { localClient } from '../local/localClient.ts'
import { fillSampleEvent, listSampleEvents } from '../local/samples/sampleEvent.ts'
import { startStack } from '../local/stack.ts'
import { operations } from './document.ts'
import { exampleRequestId } from './errorExamples.ts'
import { type RecordedExample, type RecordedExamples, recordedExample } from './examples.ts'
import type { HttpRow, Operation } from './operation.ts'
import { isRequest, sendSampleEvent } from './sendSampleEvent.ts'
import { shapeOf } from './shapeOf.ts'

/** Its answer is this very document. */
const withoutExamples: readonly string[] = ['openapi']

/** The operations' sample events that the document shows, with their rows. */
export async function exampleEvents(): Promise<{ row: Operation['row']; file: string }[]> {
  const rows = (await operations()).map(({ row }) => row).filter(({ name }) => !withoutExamples.includes(name))
  const files = await Promise.all(rows.map(({ name }) => listSampleEvents(name)))
  return rows.flatMap((row, at) => (files[at] ?? []).map((file) => ({ row, file })))
}

/**
 * Sends every operation's sample events to a local stack of its own and writes down what was sent and answered. What looks as it did
 * before is kept, so that ids and times change only when something else does.
 */
export async function recordExamples(before: RecordedExamples): Promise<RecordedExamples> {
  const stack = await startStack({ quiet: true })
  try {
    const client = localClient(stack.info)
    const recorded: Record<string, RecordedExample> = {}
    for (const { row, file } of await exampleEvents()) {
      const { event, expectedStatus } = await fillSampleEvent(file, client)
      if (!isRequest(event)) throw new Error(`${file} is no request`)
      const { status, body } = await sendSampleEvent(event, stack.info.base_url)
      if (status !== expectedStatus) throw new Error(`${file} was answered ${status}: ${JSON.stringify(body)}`)
      const example = { request: requestOf(event, row), response: { status, ...(body !== undefined && { body }) } }
      const earlier = before[file]
      recorded[file] =
        earlier && shapeOf(earlier) === shapeOf(example) ? earlier : asPublished(example, stack.info.issuer)
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
 * Access tokens are long and mean nothing to a reader: they are cut after the header. The local stack's issuer becomes the audience.
 */
function asPublished({ request, response }: RecordedExample, issuer: string): RecordedExample {
  const text = JSON.stringify(response)
    .replaceAll(/(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g, '$1...')
    .replaceAll(/"request_id":"[^"]+"/g, `"request_id":"${exampleRequestId}"`)
    .replaceAll(issuer, localAudience)
    .replaceAll(/"rpId":"[^"]+"/g, `"rpId":"${new URL(localAudience).hostname}"`)
  return recordedExample.parse({ request, response: JSON.parse(text) })
}
