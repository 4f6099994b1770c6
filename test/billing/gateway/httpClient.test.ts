import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { createHttpClient } from '../../../lib/adapters/stripe/httpClient.ts'
import { createGatewayCall } from '../../../lib/adapters/stripe/wireCall.ts'
import { fixedSecret } from '../../../lib/core/secret.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const TIMEOUT = 150
const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

/** Stripe's SDK without retries of its own, on a server that counts its requests and connections. */
async function open(handle: Handle, { key = fixedSecret('sk_test_x'), timeout = TIMEOUT } = {}) {
  const seen = { requests: 0, connections: 0 }
  const server = createServer((request, response) => {
    seen.requests += 1
    handle(request, response)
  })
  server.on('connection', () => {
    seen.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port')
  const stripe = new Stripe('sk_test_x', {
    httpClient: createHttpClient(key),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
    protocol: 'http',
    host: '127.0.0.1',
    port: `${address.port}`,
  })
  return { stripe, seen }
}

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-length': '100' }).write('{"id": ')
const customer = (_: IncomingMessage, response: ServerResponse) => response.end('{"id":"cus_Ü","object":"customer"}')

describe('The HTTP client of Stripe’s SDK', () => {
  it('reads an answer, and sends the next request on the same connection', async () => {
    const { stripe, seen } = await open(customer)
    expect(await stripe.customers.create({ name: 'Ü' })).toMatchObject({ id: 'cus_Ü' })
    expect(await stripe.customers.retrieve('cus_1')).toMatchObject({ id: 'cus_Ü' })
    expect(seen).toMatchObject({ requests: 2, connections: 1 })
  })

  it.each<[string, Handle]>([
    ['never begins', () => {}],
    ['stops in the middle', (_, response) => void begin(response)],
  ])('gives up an answer that %s when the time of the attempt is over', async (_, handle) => {
    const { stripe, seen } = await open(handle)
    const began = performance.now()
    await expect(stripe.customers.create()).rejects.toMatchObject({
      type: 'StripeConnectionError',
      message: expect.stringContaining(`${TIMEOUT}ms`),
    })
    expect(performance.now() - began).toBeLessThan(TIMEOUT * 10)
    expect(seen.requests).toBe(1)
  })

  // [catch httpClient.readJson]
  it('refuses an answer that is no JSON', async () => {
    const { stripe } = await open((_, response) => response.end('<html>'))
    await expect(stripe.customers.create()).rejects.toMatchObject({
      type: 'StripeAPIError',
      message: expect.stringContaining('Invalid JSON'),
    })
  })

  it('has one timeout for an attempt, whatever arrives meanwhile', async () => {
    const { stripe } = await open((_, response) => {
      begin(response)
      const dripping = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(dripping))
    })
    await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' })
  })

  it('gives up where an unchanged key is read again for longer than the attempt may take', async () => {
    const refresh = () => new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT * 2, null))
    const { stripe, seen } = await open((_, response) => response.writeHead(401).end('{"error":{}}'), {
      key: { current: async () => 'sk_old', refresh },
    })
    await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(seen.requests).toBe(1)
  })

  it.each<[string, Handle]>([
    ['never begins', () => {}],
    ['stops in the middle', (_, response) => void begin(response)],
  ])('is aborted with its call while an answer %s: the outcome is unknown', async (_, handle) => {
    const { stripe, seen } = await open(handle, { timeout: 60_000 })
    const silent = () => {}
    const gatewayCall = createGatewayCall({ info: silent, warn: silent, error: silent })
    const limits = { abortAfter: TIMEOUT, key: { resend: false } }
    const outcome = await gatewayCall(
      () => stripe.customers.create(),
      ({ id }) => id,
      limits,
    )
    expect(outcome).toEqual({ kind: 'unknown', saved: false })
    expect(seen.requests).toBe(1)
  })

  it.each<[string, Handle]>([
    ['before its answer', ({ socket }) => void socket.destroy()],
    ['within its answer', ({ socket }, response) => begin(response) && setTimeout(() => socket.destroy(), 20)],
  ])('sends nothing again by itself where the connection is closed %s', async (_, handle) => {
    const { stripe, seen } = await open(handle)
    await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(seen.requests).toBe(1)
  })
})
