import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race, racers } from '../../support/race.ts'
import { peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, team, setRole } = peopleOf(bed)

const refused = {
  status: 412,
  body: errorBody('The resource has changed since you read it', 'precondition_failed'),
}

describe('GET /api/organizations/{organization_id}', () => {
  it('answers every member what creating it answered, with their own role', async () => {
    const { owner, member, stranger } = await team()
    const created = await owner.call('POST', '/api/organizations', { name: 'Acme' })
    const path = String(created.headers.location)
    expect(path).toMatch(/^\/api\/organizations\/[0-9a-f-]{36}$/)
    const read = await owner.call('GET', path)
    expect(read).toMatchObject({ status: 200, text: created.text, headers: { etag: created.headers.etag } })
    await setRole(JSON.parse(created.text).id, member, 'member')
    expect(await member.call('GET', path)).toMatchObject({ status: 200, body: { name: 'Acme', role: 'member' } })
    expect((await stranger.call('GET', path)).status).toBe(404)
  })

  it('answers 304 to If-None-Match until something changes', async () => {
    const { owner, path } = await team()
    const { etag = '' } = (await owner.call('GET', path)).headers
    const known = { 'if-none-match': etag }
    expect(await owner.call('GET', path, undefined, known)).toMatchObject({ status: 304, text: '', headers: { etag } })
    await owner.call('PATCH', path, { name: 'Renamed' })
    expect(await owner.call('GET', path, undefined, known)).toMatchObject({ status: 200, body: { name: 'Renamed' } })
  })
})

describe.each([
  ['an organization', 'name'],
  ['a profile', 'username'],
] as const)('PATCH of %s with If-Match', (what, member) => {
  async function resource() {
    const { owner, path } = await team()
    const at = what === 'a profile' ? '/api/users/me' : path
    const value = (suffix: string) => `${owner.username}.${suffix}`
    const change = (suffix: string, ifMatch?: string) =>
      owner.call('PATCH', at, { [member]: value(suffix) }, ifMatch === undefined ? {} : { 'if-match': ifMatch })
    const read = () => owner.call('GET', at)
    return { change, read, value, path: at, owner }
  }

  it('changes what the caller has seen, and answers its new ETag', async () => {
    const { change, read, value } = await resource()
    const { etag } = (await read()).headers
    const changed = await change('1', etag)
    expect(changed).toMatchObject({ status: 200, body: { [member]: value('1') } })
    expect(changed.headers.etag).not.toBe(etag)
    expect((await read()).headers.etag).toBe(changed.headers.etag)
    expect((await change('2', '*')).status).toBe(200)
  })

  it('answers 412 and writes nothing where something else is stored, also for a change of nothing', async () => {
    const { change, read, owner, path } = await resource()
    const { etag } = (await read()).headers
    await change('1')
    const before = await read()
    bed.stack.dynamoDb.reset()
    expect(await change('2', etag)).toMatchObject(refused)
    expect(await change('1', etag)).toMatchObject(refused)
    if (what === 'a profile') expect(await owner.call('PATCH', path, {}, { 'if-match': '"x"' })).toMatchObject(refused)
    expect(bed.stack.writes()).toEqual([])
    expect(await read()).toEqual(before)
  })

  // [threat 68]
  it('lets exactly one of many at once pass, and the others change nothing', async () => {
    const { change, read, value } = await resource()
    const { etag } = (await read()).headers
    const answers = await race((place) => change(`${place}`, etag))
    const passed = answers.flatMap(({ status }, at) => (status === 200 ? [value(`${at}`)] : []))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(racers - 1).fill(412)])
    expect((await read()).body).toMatchObject({ [member]: passed[0] })
  })
})

describe('PATCH of a profile with If-Match', () => {
  it('loses to a change of another member of the user between its read and its write', async () => {
    const me = await person()
    const { etag = '' } = (await me.call('GET', '/api/users/me')).headers
    const users = await import('../../../lib/runtime/accounts.ts').then(({ usersFromEnvironment }) =>
      usersFromEnvironment(),
    )
    const seen = await users.find(me.id)
    if (seen === undefined) throw new Error('the user is stored')
    const names = { from: seen.username, to: `${seen.username}.x` }
    expect(await users.rename(me.id, { ...names, now: 0, unchanged: { ...seen, email: 'older@example.com' } })).toBe(
      'conflict',
    )
    expect((await me.call('PATCH', '/api/users/me', { username: names.to }, { 'if-match': etag })).status).toBe(200)
  })
})
