import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { race, racers } from '../../support/race.ts'
import { peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, people, organizationOf, team, setRole, stored, expectOwners } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const listed = z.object({ organizations: z.array(z.looseObject({ id: z.string() })) })
const idsIn = (body: unknown) => listed.parse(body).organizations.map(({ id }) => id)

describe('GET /api/organizations', () => {
  it('lists nothing for a user without organizations', async () => {
    expect((await (await person()).call('GET', '/api/organizations')).body).toEqual({
      organizations: [],
      next_cursor: null,
    })
  })

  it('lists the caller’s own, with their role, the oldest first, and always in the same order', async () => {
    const [owner, other] = await Promise.all([person(), person()])
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      ids.push(await organizationOf(owner, `Number ${n}`))
      await bed.stack.emulator.advance(2)
    }
    const ofOther = await organizationOf(other)
    await setRole(ofOther, owner, 'member')
    const { body, text } = await owner.call('GET', '/api/organizations')
    expect(idsIn(body)).toEqual([...ids, ofOther])
    expect(listed.parse(body).organizations.map(({ role }) => role)).toEqual(['owner', 'owner', 'owner', 'member'])
    expect((await owner.call('GET', '/api/organizations')).text).toBe(text)
    expect(idsIn((await other.call('GET', '/api/organizations')).body)).toEqual([ofOther])
  })

  it('lists more organizations than the store reads at once', async () => {
    const owner = await person()
    const ids = await Promise.all(Array.from({ length: 60 }, () => organizationOf(owner)))
    const { organizations } = listed.parse((await owner.call('GET', '/api/organizations')).body)
    expect(organizations.map(({ id }) => id).sort()).toEqual(ids.sort())
    const ranks = organizations.map(({ created_at, id }) => `${created_at} ${id}`)
    expect(ranks).toEqual(ranks.toSorted())
  })

  // [catch readItems.allItems]
  it('answers 401 without a token, and 503 when the store is unavailable', async () => {
    const { base_url } = bed.stack.client.info
    expect((await fetch(`${base_url}/api/organizations`)).status).toBe(401)
    const owner = await person()
    bed.stack.dynamoDb.fail({ operation: 'Query', times: 3, kind: 'drop_before' })
    expect((await owner.call('GET', '/api/organizations')).status).toBe(503)
  })
})

describe('PATCH /api/organizations/{organization_id}', () => {
  it('answers the organization with its new name, to all members from then on', async () => {
    const { owner, member, path, id } = await team()
    const { body } = await owner.call('PATCH', path, { name: ' New name ' })
    const rest = {
      created_at: expect.any(String),
      deletion_at: null,
      requires: { second_factor_from: null, sso: false },
    }
    expect(body).toEqual({ id, name: 'New name', role: 'owner', ...rest })
    expect((await member.call('GET', '/api/organizations')).body).toMatchObject({
      organizations: [{ id, name: 'New name', role: 'member' }],
    })
  })

  it('writes nothing for the name that it has', async () => {
    const { owner, path } = await team()
    bed.stack.dynamoDb.reset()
    expect((await owner.call('PATCH', path, { name: 'Acme' })).status).toBe(200)
    expect(bed.stack.writes()).toEqual([])
  })

  it('leaves what billing knows of the organization as it is', async () => {
    const { owner, path, id } = await team()
    const withoutName = async () => {
      const items = await bed.stack.items()
      const { name: _name, ...rest } = items.find(({ pk, sk }) => pk === `ORG#${id}` && sk === 'ACCOUNT') ?? {}
      return rest
    }
    const before = await withoutName()
    await owner.call('PATCH', path, { name: 'Other' })
    expect(await withoutName()).toEqual(before)
    expect((await stored(id)).name).toBe('Other')
  })

  it('takes each of many parallel names, one after another, and shows the last one', async () => {
    const { owner, path, id } = await team()
    const { name: first } = await stored(id)
    const answers = await race((place) => owner.call('PATCH', path, { name: `Name ${place}` }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { name: last } = await stored(id)
    expect(last).toMatch(/^Name \d+$/)
    const entries = await bed.stack.auditEntries(id)
    const renamed = entries.filter(({ action }) => action === 'organization.renamed').map(({ detail }) => detail)
    expect(new Set(renamed.map(({ to }) => to))).toHaveProperty('size', racers)
    // Each name but the last one was replaced once.
    const names = [first, ...renamed.map(({ to }) => to)].filter((name) => name !== last)
    expect(renamed.map(({ from }) => from).sort()).toEqual(names.sort())
  })
})

describe('The count of owners', () => {
  it('follows every role that the seed and the local control set, also concurrently', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    const others = await people(4)
    const set = (user: { id: string }, role: string | null) =>
      bed.stack.client.send({
        method: 'POST',
        path: '/_local/memberships',
        body: { user_id: user.id, organization_id: id, role },
      })
    await Promise.all(others.map((other) => set(other, 'owner')))
    await expectOwners(id, 5)
    await Promise.all(others.flatMap((other) => [set(other, 'member'), set(other, 'owner'), set(other, null)]))
    const { roles } = await stored(id)
    await expectOwners(id, Object.values(roles).filter((role) => role === 'owner').length)
    await Promise.all([...others, owner].map((other) => set(other, null)))
    await expectOwners(id, 0)
    await set(owner, 'owner')
    await set(owner, 'owner')
    await expectOwners(id, 1)
  })
})
