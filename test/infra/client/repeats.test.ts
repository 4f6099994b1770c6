import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { ConnectionError } from '../../../infra/client/src/errors.ts'
import { paginate } from '../../../infra/client/src/paginate.ts'
import { type Received, type Script, type Scripted, type ScriptedApi, scriptedApi } from './scriptedApi.ts'

let api: ScriptedApi

beforeEach(() => {
  // The shortest of the random waits.
  jest.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await api.close()
})

const query = { organization_id: '1b5541ea-f037-4b22-8a3d-c79a35f4203b' }
const cart = { query, body: { product_codes: ['base_ota'] } }
const line = { ok: false, product_code: 'base_ota', error: 'gateway_unavailable', detail: 'Try again' }

function refused(status: number, code: string, headers = {}): Scripted {
  return { status, headers, body: { detail: 'A sentence', code, request_id: 'request-1' } }
}

/** A client of an API that answers these, one after another, and then its last. */
async function clientOf(...answers: (Scripted | 'cut')[]) {
  const script: Script = (_, { length }) => answers[length] ?? answers.at(-1) ?? 'cut'
  api = await scriptedApi(script)
  return (await api.client()).client
}

describe('A refused call', () => {
  it('throws what the API says of it', async () => {
    const client = await clientOf(refused(409, 'payment_method_in_use', { 'x-request-id': 'request-1' }))
    const removed = client.removePaymentMethod({ query, path: { payment_method_id: 'pm 1/2' } })
    await expect(removed).rejects.toMatchObject({
      ...{ name: 'ApiError', status: 409, code: 'payment_method_in_use', detail: 'A sentence', requestId: 'request-1' },
    })
    expect(api.received[0]?.path).toBe(
      `/api/billing/payment-methods/pm%201%2F2?organization_id=${query.organization_id}`,
    )
  })

  it('throws every problem of a request that is not valid', async () => {
    const problem = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' }
    const client = await clientOf({ status: 422, body: { detail: [problem] } })
    const created = client.createOrganization({ body: { name: '' } })
    await expect(created).rejects.toMatchObject({ code: 'validation_error', problems: [problem] })
  })

  it.each([
    { status: 413, body: { message: 'Request Entity Too Large' } },
    { status: 502, body: '<html>Bad Gateway</html>' },
    { status: 502, body: [] },
    { status: 200, body: '<html>Sign in to this network</html>' },
  ])('throws an unexpected answer for $status $body', async (answer) => {
    const client = await clientOf(answer)
    await expect(client.listProducts()).rejects.toMatchObject({ code: 'unexpected_answer', status: answer.status })
  })
})

describe('A call is sent again', () => {
  it('after Retry-After, at 429 and 503', async () => {
    const wait = { 'retry-after': '1' }
    const client = await clientOf(refused(503, 'unavailable', wait), { status: 200, body: { organizations: [] } })
    const started = performance.now()
    expect(await client.listOrganizations()).toEqual({ organizations: [] })
    expect(performance.now() - started).toBeGreaterThan(990)
  })

  it('whatever it does, where it was refused for its rate', async () => {
    const client = await clientOf(refused(429, 'rate_limited'), { status: 204 })
    await client.changePassword({ body: { current_password: 'a', new_password: 'b' } })
    expect(api.received.length).toBe(2)
  })

  it('with the same Idempotency-Key, where it creates something and no answer came', async () => {
    const client = await clientOf('cut', refused(503, 'unavailable'), { status: 201, body: { id: 'o' } })
    expect(await client.createOrganization({ body: { name: 'New' } })).toEqual({ id: 'o' })
    const keys = api.received.map((request: Received) => request.headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]])
    await client.createOrganization({ body: { name: 'Another' } })
    expect(api.received.at(-1)?.headers['idempotency-key']).not.toBe(keys[0])
  })

  it('three times at most, and a checkout then returns its list', async () => {
    const client = await clientOf({ status: 503, body: [line] })
    expect(await client.createCheckout(cart)).toEqual([line])
    expect(api.received.length).toBe(4)
  })

  it('never where it could be carried out twice', async () => {
    const client = await clientOf('cut')
    const changed = client.changePassword({ body: { current_password: 'a', new_password: 'b' } })
    await expect(changed).rejects.toThrow(ConnectionError)
    const headers = { 'If-Match': '"1"' }
    await expect(client.updateBillingDetails({ query, headers, body: { name: 'A' } })).rejects.toThrow(ConnectionError)
    expect(api.received.length).toBe(2)
  })

  it('never after a 503 of what could be carried out twice', async () => {
    const client = await clientOf(refused(503, 'unavailable'))
    const changed = client.changePassword({ body: { current_password: 'a', new_password: 'b' } })
    await expect(changed).rejects.toMatchObject({ status: 503 })
    expect(api.received.length).toBe(1)
  })

  it('never where the API asks to wait for longer than 30 s', async () => {
    const client = await clientOf(refused(429, 'rate_limited', { 'retry-after': '31' }))
    await expect(client.listProducts()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 31 })
    expect(api.received.length).toBe(1)
  })

  it('never once its signal ends it, in the middle of a wait too', async () => {
    const client = await clientOf(refused(503, 'unavailable', { 'retry-after': '20' }))
    const started = performance.now()
    const ended = client.listProducts({ signal: AbortSignal.timeout(200) })
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(api.received.length).toBe(1)
  })
})

describe('send', () => {
  it('answers the version that was read, for the change that is based on it', async () => {
    const client = await clientOf({ status: 200, body: { name: 'A' }, headers: { etag: '"7"' } })
    const { body, etag } = await client.send('getBillingDetails', { query })
    await client.updateBillingDetails({ query, body: { name: `${body.name}!` }, headers: { 'If-Match': etag } })
    expect(api.received[1]).toMatchObject({ headers: { 'if-match': '"7"' }, body: '{"name":"A!"}' })
  })
})

describe('paginate', () => {
  it('reads the next page when it is needed', async () => {
    const page = (id: string, next_cursor: string | null) => ({
      status: 200,
      body: { invoices: [{ id }], next_cursor },
    })
    const client = await clientOf(page('in_1', 'c1'), page('in_2', 'c2'), page('in_3', null))
    const ids: string[] = []
    for await (const { id } of paginate(client.listInvoices, { query: { ...query, limit: 1 } })) {
      ids.push(id)
      expect(api.received.length).toBe(ids.length)
    }
    expect(ids).toEqual(['in_1', 'in_2', 'in_3'])
    expect(new URL(`http://a${api.received[2]?.path}`).searchParams.get('cursor')).toBe('c2')
  })
})
