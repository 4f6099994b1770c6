import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, it } from '@jest/globals'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { Unavailable } from '../../../infra/openapi/clients/run.ts'
import { startGoBackend, startPythonReceiver } from '../../clients/event-receivers/eventReceivers.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const { info } = await openLocalStack({ events: true, schedules: true })
const local = localClient(info)

/** What this machine lacks is no failure, and printed. */
async function orLacking<Made extends { close(): Promise<void> }>(
  make: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    const made = await make()
    afterAll(() => made.close())
    return made
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.log(`Not checked: ${error.message}`)
    return undefined
  }
}
const python = await orLacking(() => startPythonReceiver(info.events.secret))
const backend = await orLacking(() => startGoBackend(info))

const received = z.object({
  events: z.array(z.object({ headers: z.record(z.string(), z.string()), body: z.string() })),
})
const entitlements = z.object({
  entitlements: z.array(z.object({ product: z.string(), active: z.boolean(), valid_until: z.string().nullable() })),
})
const sentType = z.object({ type: z.string() })
const secretOf = z.object({ secret: z.string() })
const copy = z.object({ ...entitlements.shape, counts: z.record(z.string(), z.int()) })

async function send(method: 'GET' | 'POST', path: string, body?: object) {
  const token = await local.accessToken('owner')
  const answer = await local.send({ method, path, token, ...(body && { body }) })
  expect([path, answer.status, answer.status < 300]).toEqual([path, answer.status, true])
  return answer.body
}
const billing = (what: string, organizationId: string) => `/api/billing/${what}?organization_id=${organizationId}`

async function buyerOf(organizationId: string) {
  const card = await local.addCard({
    token: await local.accessToken('owner'),
    organizationId,
    testCard: 'pm_card_visa',
  })
  return {
    buy: (code: string) =>
      send('POST', billing('checkout', organizationId), { product_codes: [code], payment_method_id: card }),
    cancel: (product: string) => send('POST', billing('cancel', organizationId), { product, at_period_end: false }),
  }
}

it('Python’s library of Standard Webhooks verifies an event, and refuses a changed one', async () => {
  if (python === undefined) return
  const { buy } = await buyerOf(await local.newOrganization())
  await buy('base_ota')
  let events: z.infer<typeof received>['events'] = []
  for (let tries = 0; tries < 100 && events.length < 2; tries += 1) {
    await delay(100)
    events = received.parse(await (await fetch(`${info.events.url}.json`)).json()).events
  }
  const said = await Promise.all(events.slice(0, 1).map((event) => python.verify(event)))
  const [first] = events
  // Which event of the purchase arrives first depends on the machine's load.
  expect(said).toEqual([sentType.parse(JSON.parse(first?.body ?? '{}')).type])
  expect(await python.verify({ ...first, body: first?.body.replace('"sequence":', '"sequence": ') })).toMatch(
    /^refused/,
  )
}, 300_000)

/** What goes wrong between the service and the backend. */
type Fault = 'none' | 'down' | 'twice' | 'answer_lost' | 'overtaken'

it('A backend in Go keeps an equal copy through an hour of faults', async () => {
  if (backend === undefined) return
  let fault: Fault = 'none'
  let rotated = ''
  const seen: Record<Fault, number> = { none: 0, down: 0, twice: 0, answer_lost: 0, overtaken: 0 }
  const road = await listenOnLoopback(
    createServer(async (request, response) => {
      const body = (await request.setEncoding('utf8').toArray()).join('')
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
      const headers = { 'webhook-id': `${id}`, 'webhook-timestamp': `${at}`, 'webhook-signature': `${signature}` }
      const forward = () => fetch(`${backend.url}/events`, { method: 'POST', headers, body })
      seen[fault] += 1
      if (fault === 'down') return void request.socket.destroy()
      // The service hears a failure and tries again later, while others go by.
      if (fault === 'overtaken' && seen.overtaken % 2 === 1) return void response.writeHead(503).end()
      const { status } = await forward()
      if (fault === 'twice') await forward()
      response.writeHead(fault === 'answer_lost' && seen.answer_lost % 2 === 1 ? 500 : status).end()
    }),
  )
  const organizationId = await local.newOrganization()
  const endpoints = `/api/organizations/${organizationId}/webhook-endpoints`
  const put = (path: string, body = '') => fetch(`${backend.url}${path}`, { method: 'PUT', body })
  const created = await send('POST', endpoints, { url: `${road.url}/`, event_types: ['entitlement.changed'] })
  const { id } = z.object({ id: z.string() }).parse(created)
  await put('/secrets', secretOf.parse(created).secret)
  expect((await put(`/copies/${organizationId}`)).status).toBe(200)

  const { buy, cancel } = await buyerOf(organizationId)
  const products = [
    ['ota', 'base_ota'],
    ['monitoring', 'addon_monitoring'],
  ] as const
  const isActive = new Map<string, boolean>()
  const change = async (round: number) => {
    const [product, code] = products[round % 2 === 0 ? 0 : 1]
    await (isActive.get(product) ? cancel(product) : buy(code))
    isActive.set(product, !isActive.get(product))
    await local.deliverWebhooks()
  }
  const faults: readonly Fault[] = ['none', 'down', 'twice', 'answer_lost', 'overtaken', 'down']
  for (let round = 0; round < 12; round += 1) {
    fault = faults[round % faults.length] ?? 'none'
    await change(round)
    // The backend learns its new secret later: until then the former secret verifies.
    if (round === 5) rotated = secretOf.parse(await send('POST', `${endpoints}/${id}/rotate-secret`)).secret
    if (round === 8) await put('/secrets', rotated)
    await delay(1500)
    // By the clock of the stack: five minutes, in which the schedules run.
    await local.control('clock', { advance_seconds: 300 })
    await delay(2500)
  }
  fault = 'none'
  const read = async () => {
    const found = copy.parse(await (await fetch(`${backend.url}/copies/${organizationId}`)).json())
    const stored = entitlements.parse(await send('GET', billing('entitlements', organizationId)))
    return { found, equal: [sorted(found), sorted(stored)] as const }
  }
  let now = await read()
  for (let tries = 0; tries < 24 && !isDeepStrictEqual(...now.equal); tries += 1) {
    await local.control('clock', { advance_seconds: 1800 })
    await delay(2500)
    now = await read()
  }
  await road.close()
  console.log(`Requests by fault: ${JSON.stringify(seen)}; the backend: ${JSON.stringify(now.found.counts)}`)
  expect(now.equal[0]).toEqual(now.equal[1])
  expect(now.found.counts.duplicates).toBeGreaterThan(0)
  expect(seen.down).toBeGreaterThan(0)
  expect(now.found.counts.refused ?? 0).toBe(0)
}, 600_000)

const sorted = ({ entitlements: all }: z.infer<typeof entitlements>) =>
  all.toSorted((one, other) => one.product.localeCompare(other.product))
