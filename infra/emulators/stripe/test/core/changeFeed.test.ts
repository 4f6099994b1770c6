import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { openEmulator } from '../support/openEmulator.ts'

const changesSchema = z.object({
  cursor: z.string(),
  whole: z.boolean(),
  now: z.number(),
  webhook_mode: z.string(),
  rows: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
  removed: z.record(z.string(), z.array(z.string())),
  faults: z.object({ faults: z.array(z.unknown()) }).optional(),
})

let emulator: Awaited<ReturnType<typeof openEmulator>>
beforeEach(async () => {
  await emulator?.close()
  emulator = await openEmulator()
})
afterAll(() => emulator.close())

const ask = async (cursor = '') => changesSchema.parse(await emulator.control('GET', `/changes?after=${cursor}`))
const idsIn = (rows: readonly { id: string }[] = []) => rows.map(({ id }) => id)

describe('GET /_emulator/changes', () => {
  it('has everything that /state and /requests have, if it is asked without a cursor', async () => {
    await emulator.customerWith('pm_card_visa')
    const { rows, whole, removed } = await ask()
    expect(whole).toBe(true)
    expect(removed).toEqual({})
    const { requests, ...tables } = rows
    const {
      now: _now,
      webhook_mode: _mode,
      ...state
    } = z.record(z.string(), z.unknown()).parse(await emulator.control('GET', '/state'))
    expect(tables).toEqual(state)
    expect({ requests }).toEqual(await emulator.control('GET', '/requests'))
  })

  it('has nothing if nothing has changed, in less than 300 bytes', async () => {
    await emulator.customerWith('pm_card_visa')
    const { cursor } = await ask()
    const next = await ask(cursor)
    expect(next).toEqual({
      cursor,
      whole: false,
      now: expect.any(Number),
      webhook_mode: 'deliver',
      rows: {},
      removed: {},
    })
    const text = await (await fetch(`${emulator.apiBase}/_emulator/changes?after=${cursor}`)).text()
    expect(text.length).toBeLessThan(300)
  })

  it('has new and changed rows alone', async () => {
    const other = await emulator.customerWith('pm_card_visa')
    const { id } = await emulator.customerWith('pm_card_visa')
    const { cursor } = await ask()
    await emulator.stripe.customers.update(id, { name: 'Changed' })
    const { rows, whole } = await ask(cursor)
    expect(whole).toBe(false)
    expect(rows.customers).toEqual([expect.objectContaining({ id, name: 'Changed' })])
    expect(rows.requests?.map(({ path, status }) => [path, status])).toEqual([[`/v1/customers/${id}`, 200]])
    expect(JSON.stringify(rows)).not.toContain(other.id)
  })

  it('has a request again when it is answered', async () => {
    await emulator.control('POST', '/faults', {
      method: 'POST',
      path: '/v1/customers',
      times: 1,
      kind: 'delay',
      delay_ms: 300,
    })
    const { cursor } = await ask()
    const creating = emulator.stripe.customers.create()
    let waiting = await ask(cursor)
    while (waiting.rows.requests === undefined) waiting = await ask(cursor)
    expect(waiting.rows.requests).toEqual([expect.objectContaining({ status: null })])
    await creating
    const { rows } = await ask(waiting.cursor)
    expect(rows.requests).toEqual([expect.objectContaining({ id: waiting.rows.requests[0]?.id, status: 200 })])
  })

  it('names removed rows, and all of them after a reset', async () => {
    const coupon = await emulator.stripe.coupons.create({ percent_off: 10, duration: 'once' })
    const { id } = await emulator.customerWith('pm_card_visa')
    const { cursor } = await ask()
    await emulator.stripe.coupons.del(coupon.id)
    const next = await ask(cursor)
    expect(next.removed).toEqual({ coupons: [coupon.id] })
    await emulator.control('POST', '/reset')
    const { removed, rows } = await ask(next.cursor)
    expect(removed.customers).toEqual([id])
    expect(idsIn(rows.customers)).toEqual([])
  })

  it('says that faults, or the way of webhooks, have changed', async () => {
    const { cursor } = await ask()
    await emulator.control('POST', '/webhooks', { mode: 'hold' })
    const held = await ask(cursor)
    expect(held.webhook_mode).toBe('hold')
    expect(held.cursor).not.toBe(cursor)
    await emulator.control('POST', '/faults', { method: 'POST', path: '/v1/customers', kind: 'status' })
    expect((await ask(held.cursor)).faults?.faults).toHaveLength(1)
  })

  it('begins anew for a cursor that it does not know', async () => {
    const { cursor } = await ask()
    for (const unknown of ['x', 'another.3', `${cursor}0`]) expect((await ask(unknown)).whole).toBe(true)
  })
})
