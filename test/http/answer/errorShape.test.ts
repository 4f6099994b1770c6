import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { operations } from '../../../infra/openapi/document.ts'
import { errorAnswers } from '../../../lib/http/answer/errorAnswers.ts'
import { codesOf } from '../../../lib/http/answer/errorBody.ts'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { call, fakeDeps } from '../call.ts'

const rows: readonly FunctionRow[] = manifest
const all = await operations()
// Hosted pages have no name in the document.
const pages = new Set(rows.filter(({ operationId }) => operationId === undefined).map(({ name }) => name))
const requests = rows.flatMap(({ name, caller, trigger }) =>
  trigger.kind === 'http' ? [{ name, caller, method: trigger.method, path: trigger.path.replaceAll(/[{}]/g, '') }] : [],
)
const documents = requests.filter(
  ({ caller, method, name }) => caller === 'anyone' && method === 'GET' && !pages.has(name),
)
const refused = requests.filter(({ name }) => !pages.has(name) && documents.every((document) => document.name !== name))

const members = z.record(z.string(), z.unknown())

const stack = await openLocalStack({ schedules: true })

/** What is refused at every operation that has a body or a caller: no token, and a body that is too large. */
async function refuse({ method, path }: { method: string; path: string }, base = stack.info.base_url) {
  const response = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: `"${'x'.repeat(33_000)}"` }),
  })
  return { response, id: response.headers.get('x-request-id'), body: members.parse(await response.json()) }
}

async function expectError(request: { method: string; path: string }, more: readonly string[] = [], base?: string) {
  const [one, other] = [await refuse(request, base), await refuse(request, base)]
  expect(one.response.status).toBeGreaterThanOrEqual(400)
  expect(Object.keys(one.body)).toEqual([...more, 'detail', 'code', 'request_id'])
  expect(one.body.code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect(one.id).toMatch(/./)
  expect(one.body.request_id).toBe(one.id)
  expect(other.body.request_id).toBe(other.id)
  expect(other.id).not.toBe(one.id)
  expect({ ...other.body, request_id: '' }).toEqual({ ...one.body, request_id: '' })
}

describe('An error', () => {
  it.each(refused)('of $name has detail, code and request_id, which is the x-request-id', async (request) => {
    await expectError(request, request.caller === 'client' ? ['error', 'error_description'] : [])
  })

  it('of a path that is unknown, of another method and of the webhook too', async () => {
    await expectError({ method: 'GET', path: '/nothing' })
    await expectError({ method: 'PUT', path: '/api/users/me' })
    await expectError({ method: 'POST', path: '/' }, [], stack.info.webhook_url)
  })

  it('is one that its contract states at the status that the table has for its code', () => {
    const stated = all.flatMap(({ row, contract }) =>
      Object.entries(contract.responses).flatMap(([status, schema]) =>
        (codesOf(schema) ?? []).map((code) => ({ name: row.name, code, status: Number(status) })),
      ),
    )
    expect(stated.length).toBeGreaterThan(20)
    expect(stated).toEqual(stated.map((one) => ({ ...one, status: errorAnswers[one.code].status })))
  })
})

describe('Every other answer', () => {
  it('has an x-request-id too: documents, pages, redirects and 422', async () => {
    const asked = [...documents, ...requests.filter(({ name }) => pages.has(name))]
    expect(asked.length).toBeGreaterThan(8)
    for (const { method, path } of asked) {
      const { headers } = await fetch(stack.info.base_url + path, { method, redirect: 'manual' })
      expect(headers.get('x-request-id')).toMatch(/./)
    }
    const invalid = await fetch(`${stack.info.base_url}/api/auth/register`, { method: 'POST' })
    expect([invalid.status, invalid.headers.get('x-request-id') !== null]).toEqual([422, true])
  })

  it('has an id of our own where the event has none, each its own', async () => {
    const handler = protectedEndpoint({ responses: { 200: z.unknown() } }, fakeDeps().deps, async () => ({
      status: 200,
      body: {},
    }))
    const answers = [await call(handler, { requestId: '' }), await call(handler, { requestId: '' })]
    const ids = answers.map(({ headers }) => z.uuid().parse(headers['x-request-id']))
    expect(answers.map(({ body }) => members.parse(body).request_id)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
  })
})
