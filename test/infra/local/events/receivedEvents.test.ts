/** @over-the-wire */
import { describe, expect, it } from '@jest/globals'
import pRetry from 'p-retry'
import * as z from 'zod'
import { localSecrets } from '../../../../infra/data/demo.ts'
import { signWebhook } from '../../../../lib/adapters/webhooks/webhookSigner.ts'
import { openLocalStack } from '../../../support/openLocalStack.ts'
import { announceEvent } from '../support/announceEvent.ts'

const { info } = await openLocalStack({ events: true })
const { organization_id: organizationId } = info.demo
const answer = z.object({
  events: z.array(z.object({ headers: z.record(z.string(), z.string()), body: z.string() })),
})
const receivedEvents = async () => answer.parse(await (await fetch(`${info.events.url}.json`)).json()).events

/** Sends a signed event to the receiver. */
function send(path: string, { secret, at = Date.now() }: { secret: string; at?: number }): Promise<Response> {
  const body = '{"type":"endpoint.test"}'
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signWebhook({ id: 'evt_1', at: Math.floor(at / 1000) * 1000, body }, [secret]),
  }
  return fetch(`${info.base_url}${path}`, { method: 'POST', headers, body })
}

const other = `whsec_${Buffer.alloc(32, '>?').toString('base64')}`

describe('The receiver of the local stack', () => {
  it('has an event within moments of its fact, without a schedule, signed with the secret of /_local/info', async () => {
    for (const revision of [1, 2, 3]) await announceEvent(info, revision)
    const three = async () => {
      const events = await receivedEvents()
      if (events.length < 3) throw new Error('not yet')
      return events
    }
    const events = await pRetry(three, { retries: 50, factor: 1, minTimeout: 100 })
    expect(events.map(({ body }) => JSON.parse(body).sequence).sort()).toEqual([1, 2, 3])
    for (const { headers, body } of events) {
      const at = Number(headers['webhook-timestamp']) * 1000
      const signature = signWebhook({ id: headers['webhook-id'] ?? '', at, body }, [info.events.secret])
      expect(headers['webhook-signature']).toBe(signature)
    }
  })

  it('shows them on its page, which is sent again only if it has changed, and on the first page', async () => {
    const page = await fetch(info.events.url)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain(`no. 3 of ${organizationId}`)
    const headers = { 'if-none-match': page.headers.get('etag') ?? '' }
    expect((await fetch(info.events.url, { headers })).status).toBe(304)
    expect(await (await fetch(info.base_url)).text()).toContain(`no. 3 of ${organizationId}`)
  })

  it('refuses what is not signed with its secret, or at another time', async () => {
    const before = await receivedEvents()
    const { eventSecret: secret } = localSecrets
    expect((await fetch(info.events.url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await send('/_local/events', { secret: other })).status).toBe(401)
    expect((await send('/_local/events', { secret, at: Date.now() - 301_000 })).status).toBe(401)
    expect((await send('/_local/events', { secret, at: Date.now() + 310_000 })).status).toBe(401)
    expect(await receivedEvents()).toEqual(before)
    expect((await send('/_local/events', { secret })).status).toBe(204)
    expect(await receivedEvents()).toHaveLength(before.length + 1)
  })

  it('takes the events of another endpoint whose secret its address names', async () => {
    expect((await send(`/_local/events?secret=${other}`, { secret: other })).status).toBe(204)
    expect((await send(`/_local/events?secret=${encodeURIComponent(other)}`, { secret: other })).status).toBe(204)
    expect((await send('/_local/events?secret=whsec_short', { secret: other })).status).toBe(422)
  })
})
