import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { CommonError } from '../../../lib/core/errors.ts'
import type { IdempotencyKeys } from '../../../lib/core/idempotency.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { type AnswerOnceDeps, answerOnce, type RepeatableRequest } from '../../../lib/http/endpoint/answerOnce.ts'
import { fakeDeps } from '../call.ts'
import { inMemoryIdempotencyKeys } from './inMemoryIdempotencyKeys.ts'

const DAY = 24 * 3600 * 1000
const request: RepeatableRequest = {
  key: 'k',
  operation: 'things-create',
  userId: userIdSchema.parse(randomUUID()),
  resource: 'shelf',
  body: { name: 'one', size: { a: 1, b: 2 } },
}
const unavailable = async () => {
  throw new CommonError('service_unavailable')
}

/** An operation that counts its executions, over keys of which some calls may be replaced. */
function operation({ isExclusive = true, ...broken }: Partial<IdempotencyKeys> & { isExclusive?: boolean } = {}) {
  const { deps, lines } = fakeDeps()
  const seen = { now: 0, ids: [] as (string | undefined)[], allowed: true, fails: false }
  const once: AnswerOnceDeps = {
    keys: { ...inMemoryIdempotencyKeys(), ...broken },
    ids: { uuid: () => randomUUID() },
    clock: { ...deps.clock, now: () => seen.now },
    logger: deps.logger,
    waits: [1, 1],
  }
  const send = (changed: Partial<RepeatableRequest> = {}, during?: () => Promise<unknown>) =>
    answerOnce(
      once,
      { ...request, ...changed },
      {
        status: 201,
        schema: z.object({ count: z.number() }),
        authorize: async () => {
          if (!seen.allowed) throw new CommonError('unauthorized')
        },
        isExclusive,
        execute: async (id) => {
          seen.ids.push(id)
          const count = seen.ids.length
          await during?.()
          if (seen.fails) throw new CommonError('service_unavailable')
          return { status: 201, body: { count }, headers: { location: `/things/${count}` } }
        },
      },
    )
  return { send, seen, lines }
}

const first = { status: 201, body: { count: 1 }, headers: { location: '/things/1' } }
const other = { problems: [{ loc: ['header', 'Idempotency-Key'], type: 'value_error', msg: expect.any(String) }] }

describe('A request with an Idempotency-Key', () => {
  it('is executed once, and answered the same until 24 h later, whatever the order of its members', async () => {
    const { send, seen } = operation()
    expect(await send()).toEqual(first)
    seen.now = DAY - 1
    expect(await send({ body: { size: { b: 2, a: 1 }, name: 'one' } })).toEqual(first)
    seen.now = DAY
    expect((await send()).body).toEqual({ count: 2 })
    expect(new Set(seen.ids).size).toBe(2)
  })

  it('is refused with another body, which is not executed', async () => {
    const { send, seen } = operation()
    await send()
    await expect(send({ body: { name: 'two' } })).rejects.toMatchObject(other)
    expect(seen.ids).toHaveLength(1)
  })

  it.each([
    { userId: userIdSchema.parse(randomUUID()) },
    { operation: 'things-move' },
    { resource: 'cupboard' },
    { key: 'l' },
  ])('is another request with another %o', async (changed) => {
    const { send } = operation()
    await send()
    expect((await send({ ...changed, body: { name: 'two' } })).body).toEqual({ count: 2 })
  })

  it('is authorized again before its answer is repeated, and after its body was compared', async () => {
    const { send, seen } = operation()
    await send()
    seen.allowed = false
    await expect(send()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(send({ body: {} })).rejects.toMatchObject(other)
  })

  it('uses up no key where it is not authorized', async () => {
    const { send, seen } = operation()
    seen.allowed = false
    await expect(send()).rejects.toMatchObject({ code: 'unauthorized' })
    seen.allowed = true
    expect((await send({ body: { name: 'two' } })).body).toEqual({ count: 1 })
  })

  it('waits for one that is under way, and has its answer', async () => {
    const { send, seen } = operation()
    const answers = await Promise.all([send(), send(), send()])
    expect(answers).toEqual([first, first, first])
    expect(seen.ids).toHaveLength(1)
  })

  it('is request_in_progress where that takes longer', async () => {
    const { send } = operation()
    let inside: unknown
    await send({}, async () => {
      inside = await send().catch((error) => error)
    })
    expect(inside).toMatchObject({ code: 'request_in_progress' })
  })

  // [catch answerOnce.executeFor#2]
  it('is executed again at once after one that failed, with the same id', async () => {
    const { send, seen } = operation()
    seen.fails = true
    await expect(send()).rejects.toMatchObject({ code: 'service_unavailable' })
    seen.fails = false
    expect((await send()).body).toEqual({ count: 2 })
    expect(new Set(seen.ids).size).toBe(1)
  })

  // [catch answerOnce.executeFor]
  it('is answered although its answer is not stored, and executed again when the lease has ended', async () => {
    const { send, seen, lines } = operation({ complete: unavailable })
    expect(await send()).toEqual(first)
    expect(lines).toMatchObject([{ level: 'warn', message: 'Answer not stored' }])
    await expect(send()).rejects.toMatchObject({ code: 'request_in_progress' })
    seen.now = 30_000
    expect((await send()).body).toEqual({ count: 2 })
    expect(new Set(seen.ids).size).toBe(1)
  })

  // [catch answerOnce.executeFor#3]
  it('fails as its execution does, also where the lease cannot be ended', async () => {
    const { send, seen } = operation({ release: unavailable })
    seen.fails = true
    await expect(send({}, unavailable)).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(send()).rejects.toMatchObject({ code: 'request_in_progress' })
  })

  it('of an operation that creates one thing by its id is executed at once, with the same id', async () => {
    const { send, seen } = operation({ isExclusive: false, complete: unavailable })
    await Promise.all([send(), send()])
    await send()
    expect(seen.ids).toHaveLength(3)
    expect(new Set(seen.ids).size).toBe(1)
  })
})

describe('A request without a key', () => {
  it('is executed each time, and stores nothing', async () => {
    const { send, seen } = operation({ find: unavailable, begin: unavailable })
    await send({ key: undefined })
    expect((await send({ key: undefined })).body).toEqual({ count: 2 })
    expect(seen.ids).toEqual([undefined, undefined])
  })
})
