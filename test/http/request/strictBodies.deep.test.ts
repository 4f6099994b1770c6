import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { localClient } from '../../../infra/local/localClient.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { manifest } from '../../../infra/manifest.ts'
import { isRequest, sendSampleEvent } from '../../../infra/openapi/sendSampleEvent.ts'
import { operations } from '../../infra/openapi/openApiDocument.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const JSON_TYPE = 'application/json'
const jsonObject = z.record(z.string(), z.unknown())
const unknown = { misspelt_member: 'x', another: null }

/** The operations that read a JSON body, by who calls them. */
const readers = operations
  .filter(({ requestBody }) => requestBody?.content[JSON_TYPE] !== undefined)
  .map(({ operationId, requestBody }) => {
    const row = manifest.find((one) => one.operationId === operationId)
    return {
      name: row?.name ?? operationId,
      schema: requestBody?.content[JSON_TYPE]?.schema,
      isForClients: row?.caller === 'client',
    }
  })
const strict = readers.filter(({ isForClients }) => !isForClients)
const lenient = readers.filter(({ isForClients }) => isForClients)

/** Every object of a schema, at any depth. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(objectsOf)
  return 'properties' in schema ? [{ ...schema }, ...inner] : inner
}

const stack = await openLocalStack({ schedules: true })
const client = localClient(stack.info)

/** Of a JSON body or of a form. */
function membersOf(body: string) {
  return body.startsWith('{') ? jsonObject.parse(JSON.parse(body)) : Object.fromEntries(new URLSearchParams(body))
}

/** Sends an operation's own sample event with more members in its body, and returns the answer and the status without them. */
async function sendWithUnknownMembers(name: string) {
  const { event, expectedStatus } = await fillSampleEvent(client, name)
  if (!isRequest(event)) throw new Error(`the sample of ${name} is no request`)
  const body = { ...membersOf(event.body ?? ''), ...unknown }
  const sent = { ...event, body: JSON.stringify(body), headers: { ...event.headers, 'content-type': JSON_TYPE } }
  return { expectedStatus, ...(await sendSampleEvent(sent, stack.info.base_url)) }
}

describe('A JSON body with members that its contract does not list', () => {
  // [threat 18] [bug 15]
  it.each(strict)('is refused by $name, each member by its name', async ({ name }) => {
    const { status, body } = await sendWithUnknownMembers(name)
    const refused = Object.keys(unknown).map((member) => ({
      loc: ['body', member],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }))
    expect({ status, body }).toEqual({ status: 422, body: { detail: refused } })
  })

  it.each(strict)('is no body of $name in the published document', ({ schema }) => {
    const objects = objectsOf(schema)
    expect(objects).not.toEqual([])
    for (const object of objects) expect(object).toMatchObject({ additionalProperties: false })
  })

  it.each(lenient)('is accepted by $name, as RFC 6749 §3.2 asks', async ({ name, schema }) => {
    const { status, expectedStatus } = await sendWithUnknownMembers(name)
    expect(status).toBe(expectedStatus)
    for (const object of objectsOf(schema)) expect(object).not.toHaveProperty('additionalProperties')
  })

  it('is tried at checkout and at the token endpoint', () => {
    expect(strict.map(({ name }) => name)).toContain('billing-checkout')
    expect(lenient.map(({ name }) => name)).toContain('oauth-token')
  })
})
