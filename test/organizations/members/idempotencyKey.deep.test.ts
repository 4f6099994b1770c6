import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { onlyFor } from '../../../lib/http/answer/errorAnswers.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race } from '../../support/race.ts'
import { type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, team, setRole, switchOff, mailsTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 24 * 3600
const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`
const usedOtherwise = {
  status: 422,
  body: {
    detail: [
      {
        loc: ['header', 'Idempotency-Key'],
        msg: 'Value error, the key was used with another body',
        type: 'value_error',
      },
    ],
  },
}

/** Sends POST requests with one key, a new one where none is given. */
function withKey(one: Person, path: string, key: string = randomUUID()) {
  return (body: unknown) => one.call('POST', path, body, { 'idempotency-key': key })
}

const create = (one: Person, key?: string) => withKey(one, '/api/organizations', key)
const list = async (one: Person) =>
  z
    .object({ organizations: z.array(z.looseObject({ id: z.string() })) })
    .parse((await one.call('GET', '/api/organizations')).body).organizations

describe('POST /api/organizations with an Idempotency-Key', () => {
  it('creates one organization for many requests at once, and answers each the same, also after it was renamed', async () => {
    const owner = await person()
    const send = create(owner)
    const answers = await race(() => send({ name: 'Once' }))
    const [first] = answers
    expect(first).toMatchObject({ status: 201, headers: { etag: expect.any(String), location: expect.any(String) } })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await list(owner)).toEqual([first?.body])
    await owner.call('PATCH', first?.headers.location ?? '', { name: 'Renamed' })
    expect(await send({ name: ' Once ', idempotency_key: null })).toEqual(first)
  })

  it('answers 422 to another body, before anything is written', async () => {
    const owner = await person()
    const send = create(owner)
    await send({ name: 'One' })
    bed.stack.dynamoDb.reset()
    expect(await send({ name: 'Two' })).toMatchObject(usedOtherwise)
    expect(bed.stack.writes()).toEqual([])
    expect(await list(owner)).toHaveLength(1)
  })

  // [threat 62]
  it('creates another one for another user, and for the same user 24 h later', async () => {
    const [owner, stranger] = await Promise.all([person(), person()])
    const key = randomUUID()
    const ids = [await create(owner, key)({ name: 'Same' }), await create(stranger, key)({ name: 'Same' })]
    // The clock that the functions follow is exact to the second.
    await bed.stack.emulator.advance(DAY + 2)
    await owner.signIn()
    ids.push(await create(owner, key)({ name: 'Same' }))
    expect(ids.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(ids.map(({ body }) => z.object({ id: z.string() }).parse(body).id)).size).toBe(3)
  })

  it('creates one organization where the request crashed after it was created', async () => {
    const owner = await person()
    const send = create(owner)
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_after' })
    // What would end the lease, or store the answer, fails as well.
    bed.stack.dynamoDb.fail({ operation: 'UpdateItem', after: 5, times: 3, kind: 'drop_before' })
    expect((await send({ name: 'Once' })).status).toBe(503)
    bed.stack.dynamoDb.reset()
    const answer = await send({ name: 'Once' })
    expect(answer.status).toBe(201)
    expect(await list(owner)).toEqual([answer.body])
  })

  it('answers 403 to a user whose email address is not verified, and writes nothing', async () => {
    const unverified = await person({ isVerified: false })
    bed.stack.dynamoDb.reset()
    expect((await create(unverified)({ name: 'Soon' })).status).toBe(403)
    expect(bed.stack.writes()).toEqual([])
  })

  it('accepts a key of 255 characters', async () => {
    expect((await create(await person(), 'k'.repeat(255))({ name: 'Longest' })).status).toBe(201)
  })

  it('answers 401 to a user who was deactivated since', async () => {
    const owner = await person()
    const send = create(owner)
    await send({ name: 'Once' })
    await switchOff(owner)
    expect((await send({ name: 'Once' })).status).toBe(401)
  })

  it.each([
    ['that is empty', '', 'string_too_short'],
    ['of 256 characters', 'k'.repeat(256), 'string_too_long'],
    ['that is not ASCII', 'schlüssel', 'string_pattern_mismatch'],
  ])('answers 422 to a key %s', async (_, key, type) => {
    const refused = { loc: ['header', 'Idempotency-Key'], type, msg: expect.any(String) }
    const owner = await person()
    expect(await create(owner, key)({ name: 'Never' })).toMatchObject({ status: 422, body: { detail: [refused] } })
  })

  it('finds the organization of the body’s idempotency_key, whatever the header', async () => {
    const owner = await person()
    const body = { name: 'Once', idempotency_key: randomUUID() }
    const answers = [await owner.call('POST', '/api/organizations', body), await create(owner)(body)]
    answers.push(await create(owner, body.idempotency_key)({ name: 'Once' }))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await list(owner)).toHaveLength(2)
  })
})

describe('POST /api/organizations/{organization_id}/invitations with an Idempotency-Key', () => {
  it('sends one mail for many requests at once, and answers each the same', async () => {
    const { owner, path } = await team()
    const email = newAddress()
    const send = withKey(owner, `${path}/invitations`)
    const answers = await race(() => send({ email, role: 'member' }))
    expect(answers[0]?.status).toBe(202)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await mailsTo(email)).toHaveLength(1)
    expect(await send({ email, role: 'billing_admin' })).toMatchObject(usedOtherwise)
  })

  it('sends another mail for another organization', async () => {
    const { owner, path } = await team()
    const created = await owner.call('POST', '/api/organizations', { name: 'Another' })
    const email = newAddress()
    const key = randomUUID()
    for (const at of [path, created.headers.location]) {
      expect((await withKey(owner, `${at}/invitations`, key)({ email, role: 'member' })).status).toBe(202)
    }
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('answers 404 and 403 as without a key to who may not invite any more', async () => {
    const { id, owner, billing_admin, path } = await team()
    await setRole(id, billing_admin, 'owner')
    const send = withKey(billing_admin, `${path}/invitations`)
    const body = { email: newAddress(), role: 'member' }
    expect((await send(body)).status).toBe(202)
    await owner.call('PATCH', `${path}/members/${billing_admin.id}`, { role: 'member' })
    expect(await send(body)).toMatchObject({ status: 403, body: errorBody(onlyFor.owner, 'forbidden') })
    await owner.call('DELETE', `${path}/members/${billing_admin.id}`)
    expect((await send(body)).status).toBe(404)
  })

  it('sends the mail again where the request crashed before its answer was stored, when its lease of 30 s has ended', async () => {
    const { owner, path } = await team()
    const body = { email: newAddress(), role: 'member' }
    const send = withKey(owner, `${path}/invitations`)
    bed.stack.dynamoDb.fail({ operation: 'UpdateItem', after: 5, times: 3, kind: 'drop_before' })
    const first = await send(body)
    expect(first.status).toBe(202)
    bed.stack.dynamoDb.reset()
    await bed.stack.emulator.advance(31)
    expect((await send(body)).status).toBe(202)
    expect(await mailsTo(body.email)).toHaveLength(2)
  })
})
