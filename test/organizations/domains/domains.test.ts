import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { newDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { team } = peopleOf(bed)

const domainBody = z.strictObject({
  id: z.uuid(),
  domain: z.string(),
  status: z.string(),
  txt_name: z.string(),
  txt_value: z.string().regex(/^domain-proof=[\w-]{43}$/),
  membership: z.string(),
})
type Added = z.output<typeof domainBody>
type Team = Awaited<ReturnType<typeof team>>

let one: Team
let other: Team

const play = async (name: string, values: readonly string[], more = {}) => {
  const body = JSON.stringify({ name, type: 'TXT', values, ...more })
  const response = await fetch(`${bed.stack.client.info.base_url}/_local/dns`, { method: 'POST', body })
  expect(response.status).toBe(200)
}
const added = async ({ owner, path }: Team, domain: string): Promise<Added> => {
  const answer = await owner.call('POST', `${path}/domains`, { domain })
  expect(answer.status).toBe(201)
  return domainBody.parse(answer.body)
}
const list = async ({ owner, path }: Team) => (await owner.call('GET', `${path}/domains`)).body
const verify = ({ owner, path }: Team, { id }: Added) => owner.call('POST', `${path}/domains/${id}/verify`)
const actions = async ({ owner, path }: Team) => {
  const { body } = await owner.call('GET', `${path}/audit-log`)
  const { entries } = z
    .object({ entries: z.array(z.looseObject({ action: z.string(), detail: z.unknown() })) })
    .parse(body)
  return entries.filter(({ action }) => action.startsWith('domain.')).map(({ action, detail }) => [action, detail])
}
const taken = {
  status: 409,
  body: errorBody('The domain belongs to another organization; it must delete the domain first', 'domain_taken'),
}
const notProven = (reason: string) => ({
  status: 409,
  body: { ...errorBody('The TXT record that proves the domain was not found', 'domain_not_proven'), reason },
})

beforeEach(async () => {
  one = await team()
  other = await team()
})

describe('The domains of an organization', () => {
  it('are added, proven by a TXT record, changed and deleted, and are in the audit log', async () => {
    expect(await list(one)).toEqual({ domains: [], next_cursor: null })
    const domain = newDomain()
    const made = await added(one, domain.toUpperCase())
    expect(made).toMatchObject({ domain, status: 'pending', txt_name: `_domain-proof.${domain}`, membership: 'none' })
    expect(await added(one, domain)).toEqual(made)
    await play(made.txt_name, ['v=spf1 -all', made.txt_value])
    const verified = { ...made, status: 'verified' }
    expect(await verify(one, made)).toMatchObject({ status: 200, body: verified })
    expect(await verify(one, made)).toMatchObject({ status: 200, body: verified })
    const own = `${one.path}/domains/${made.id}`
    const offering = { ...verified, membership: 'offer' }
    expect(await one.owner.call('PATCH', own, { membership: 'offer' })).toMatchObject({ status: 200, body: offering })
    expect(await one.owner.call('PATCH', own, {})).toMatchObject({ status: 200, body: offering })
    expect(await list(one)).toEqual({ domains: [offering], next_cursor: null })
    expect((await one.owner.call('DELETE', own)).status).toBe(204)
    expect(await one.owner.call('DELETE', own)).toMatchObject({ status: 404, body: { code: 'domain_not_found' } })
    expect(await list(one)).toEqual({ domains: [], next_cursor: null })
    expect(await actions(one)).toEqual([
      ['domain.deleted', { domain }],
      ['domain.membership_changed', { domain, membership: 'offer' }],
      ['domain.verified', { domain }],
      ['domain.verified', { domain }],
      ['domain.added', { domain }],
    ])
  })

  // [threat 93.7]
  it('are not proven by no record, another value, a record beside it, or name servers that fail', async () => {
    const made = await added(one, newDomain())
    expect(await verify(one, made)).toMatchObject(notProven('no_record'))
    await play(made.domain, [made.txt_value])
    expect(await verify(one, made)).toMatchObject(notProven('no_record'))
    await play(made.txt_name, [`${made.txt_value}x`, made.txt_value.slice(0, -1)])
    expect(await verify(one, made)).toMatchObject(notProven('other_value'))
    await play(made.txt_name, [made.txt_value], { rcode: 'SERVFAIL' })
    expect(await verify(one, made)).toMatchObject(notProven('no_answer'))
    expect(await list(one)).toMatchObject({ domains: [{ status: 'pending' }] })
  })

  // [threat 93.8]
  it('belong to one organization; only who proves a domain learns that it is taken, until it is deleted', async () => {
    const domain = newDomain()
    const [first, second] = [await added(one, domain), await added(other, domain)]
    expect(second.txt_value).not.toBe(first.txt_value)
    await play(first.txt_name, [first.txt_value])
    expect((await verify(one, first)).status).toBe(200)
    expect(await verify(other, second)).toMatchObject(notProven('other_value'))
    await play(first.txt_name, [first.txt_value, second.txt_value])
    expect(await verify(other, second)).toMatchObject(taken)
    expect((await one.owner.call('DELETE', `${one.path}/domains/${first.id}`)).status).toBe(204)
    expect(await verify(other, second)).toMatchObject({ status: 200, body: { ...second, status: 'verified' } })
  })

  it('are those of their owners alone', async () => {
    const { id } = await added(one, newDomain())
    const refused = { status: 403, body: errorBody('Only owners of the organization may do this', 'forbidden') }
    const { member, path } = one
    expect(await member.call('GET', `${path}/domains`)).toMatchObject(refused)
    expect(await member.call('POST', `${path}/domains`, { domain: newDomain() })).toMatchObject(refused)
    expect(await member.call('POST', `${path}/domains/${id}/verify`)).toMatchObject(refused)
    expect(await member.call('PATCH', `${path}/domains/${id}`, { membership: 'join' })).toMatchObject(refused)
    expect(await member.call('DELETE', `${path}/domains/${id}`)).toMatchObject(refused)
    const unknown = { ...one, path }
    const found = await verify(unknown, { id: randomUUID() } as Added)
    expect(found).toMatchObject({ status: 404, body: { code: 'domain_not_found' } })
  })

  it.each(['example', 'exa_mple.com', '192.0.2.1', 'https://example.com', 'a@example.com', '', 'x.'.repeat(130)])(
    'are names, not %s',
    async (domain) => {
      const { status, body } = await one.owner.call('POST', `${one.path}/domains`, { domain })
      expect(status).toBe(422)
      expect(body).toMatchObject({ detail: [{ loc: ['body', 'domain'] }] })
    },
  )

  it('are 20 at most', async () => {
    const { owner, path } = one
    const all = Array.from({ length: 20 }, newDomain)
    for (const domain of all) await added(one, domain)
    const answer = await owner.call('POST', `${path}/domains`, { domain: newDomain() })
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_domains' } })
    expect(await added(one, all[0] ?? '')).toMatchObject({ domain: all[0] })
  })

  it('are not added to, or verified for, an organization that is being deleted', async () => {
    const made = await added(one, newDomain())
    await play(made.txt_name, [made.txt_value])
    expect((await one.owner.call('DELETE', one.path)).status).toBeLessThan(300)
    const deleting = { status: 409, body: { code: 'organization_deleting' } }
    expect(await verify(one, made)).toMatchObject(deleting)
    expect(await one.owner.call('POST', `${one.path}/domains`, { domain: newDomain() })).toMatchObject(deleting)
  })
})
