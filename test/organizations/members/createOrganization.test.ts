import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race } from '../../support/race.ts'
import { peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, organizationOf, team, setRole, expectOwners } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const listed = z.object({ organizations: z.array(z.looseObject({ id: z.string() })) })
const idsIn = (body: unknown) => listed.parse(body).organizations.map(({ id }) => id)

describe('POST /api/organizations', () => {
  it('answers 201 with the organization, whose first and only member is its owner', async () => {
    const owner = await person()
    const { status, body } = await owner.call('POST', '/api/organizations', { name: '  Acme & Söhne 🛠️ ' })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'Acme & Söhne 🛠️',
        role: 'owner',
        created_at: expect.any(String),
        deletion_at: null,
        requires: { second_factor_from: null, sso: false },
      },
    })
    expect((await owner.call('GET', '/api/organizations')).body).toEqual({ organizations: [body], next_cursor: null })
  })

  it('answers 403 to a user whose email address is not verified, and creates nothing', async () => {
    const unverified = await person({ isVerified: false })
    bed.stack.dynamoDb.reset()
    expect(await unverified.call('POST', '/api/organizations', { name: 'Acme' })).toMatchObject({
      status: 403,
      body: errorBody('The email address is not verified', 'email_not_verified'),
    })
    expect(bed.stack.writes()).toEqual([])
  })

  it.each([
    [undefined, 'missing'],
    [null, 'string_type'],
    [7, 'string_type'],
    ['', 'string_too_short'],
    [' \t ', 'string_too_short'],
    ['a'.repeat(101), 'string_too_long'],
    ['a\u0000b', 'string_pattern_mismatch'],
    ['a\nb', 'string_pattern_mismatch'],
    ['a\u007fb', 'string_pattern_mismatch'],
    ['a\u2028b', 'string_pattern_mismatch'],
    ['a\u202eb', 'string_pattern_mismatch'],
    ['Ac\u200Bme', 'value_error'],
    ['C\u043Ensole', 'value_error'],
  ])('answers 422 to the name %j, here and, unless it is left out, when renaming', async (name, type) => {
    const { owner, path } = await team()
    const refusal = { status: 422, body: { detail: [{ loc: ['body', 'name'], msg: expect.any(String), type }] } }
    bed.stack.dynamoDb.reset()
    expect(await owner.call('POST', '/api/organizations', { name })).toMatchObject(refusal)
    expect(await owner.call('PATCH', path, { name })).toMatchObject(name === undefined ? { status: 200 } : refusal)
    expect(bed.stack.writes()).toEqual([])
  })

  it.each(['a', 'a'.repeat(100), '😀'.repeat(100)])('accepts the name %s', async (name) => {
    const owner = await person()
    expect((await owner.call('POST', '/api/organizations', { name })).body).toMatchObject({ name })
  })

  describe('Given a request that is sent again', () => {
    it('creates another organization', async () => {
      const owner = await person()
      const ids = [await organizationOf(owner), await organizationOf(owner)]
      expect(new Set(ids).size).toBe(2)
      expect(idsIn((await owner.call('GET', '/api/organizations')).body).sort()).toEqual(ids.sort())
    })

    it('answers the first one in its current state to the same idempotency_key, also many times at once', async () => {
      const owner = await person()
      const request = { name: 'Once', idempotency_key: randomUUID() }
      const answers = await race(() => owner.call('POST', '/api/organizations', request))
      const bodies = new Set(answers.map(({ status, text }) => `${status} ${text}`))
      expect(bodies.size).toBe(1)
      const { organizations } = listed.parse((await owner.call('GET', '/api/organizations')).body)
      expect(organizations).toEqual([answers[0]?.body])
      await owner.call('PATCH', `/api/organizations/${organizations[0]?.id}`, { name: 'Renamed' })
      expect(await owner.call('POST', '/api/organizations', request)).toMatchObject({
        status: 201,
        body: { id: organizations[0]?.id, name: 'Renamed' },
      })
    })

    it('creates another one for another user with the same idempotency_key', async () => {
      const [first, second] = await Promise.all([person(), person()])
      const request = { name: 'Once', idempotency_key: 'first-organization' }
      const mine = await first.call('POST', '/api/organizations', request)
      const theirs = await second.call('POST', '/api/organizations', request)
      expect([mine.status, theirs.status]).toEqual([201, 201])
      expect(theirs.body).not.toMatchObject({ id: z.object({ id: z.string() }).parse(mine.body).id })
    })

    it('answers 404 after the caller left what the key had created', async () => {
      const [owner, successor] = await Promise.all([person(), person()])
      const request = { name: 'Left', idempotency_key: randomUUID() }
      const [id = ''] = idsIn({ organizations: [(await owner.call('POST', '/api/organizations', request)).body] })
      await setRole(organizationIdSchema.parse(id), successor, 'owner')
      expect((await owner.call('POST', `/api/organizations/${id}/leave`)).status).toBe(204)
      expect(await owner.call('POST', '/api/organizations', request)).toMatchObject({
        status: 404,
        body: errorBody('Organization not found', 'organization_not_found'),
      })
    })
  })

  it('creates one organization when the answer of the store is lost', async () => {
    const owner = await person()
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    const id = await organizationOf(owner)
    expect(idsIn((await owner.call('GET', '/api/organizations')).body)).toEqual([id])
    await expectOwners(id, 1)
  })
})
