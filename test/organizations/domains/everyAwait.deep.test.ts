import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { newDomain, provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { expectFinished, type Story, troubles } from '../members/everyAwait.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const invitations = z.object({ invitations: z.array(z.object({ id: z.string() })) })

/** An organization with a proven domain, in a state. */
async function company(state: 'pending' | 'verified' | 'offer') {
  const { client } = bed.stack
  const organizationId = await client.newOrganization()
  const domain = await provenDomain(client, organizationId)
  const token = await client.accessToken('owner')
  const path = `/api/organizations/${organizationId}/domains/${domain.id}`
  const send = (method: 'POST' | 'PATCH' | 'DELETE', what = '', body?: unknown) =>
    client.send({ method, path: `${path}${what}`, token, body })
  if (state !== 'pending') expect((await send('POST', '/verify')).status).toBe(200)
  if (state === 'offer') expect((await send('PATCH', '', { membership: 'offer' })).status).toBe(200)
  return { organizationId, domain: domain.domain, token, send }
}

/** A guest with an address of the domain, who answers the offer. */
async function answering(answer: 'accept' | 'decline'): Promise<Pick<Story, 'organizationId' | 'send'>> {
  const { organizationId, domain } = await company('offer')
  const guest = await person({ email: `${randomUUID().slice(0, 8)}@${domain}` })
  const { body } = await guest.call('GET', '/api/users/me/invitations')
  const [offer] = invitations.parse(body).invitations
  return { organizationId, send: () => guest.call('POST', `/api/users/me/invitations/${offer?.id}/${answer}`) }
}

const stories: Record<string, () => Promise<Story>> = {
  'its addition': async () => {
    const { organizationId, token } = await company('pending')
    const path = `/api/organizations/${organizationId}/domains`
    const body = { domain: newDomain() }
    const send = () => bed.stack.client.send({ method: 'POST', path, token, body })
    // The domain of the story's beginning was added, too.
    return { organizationId, send, done: [201], action: 'domain.added', entries: [1, 2] }
  },
  'its verification': async () => {
    const { organizationId, send } = await company('pending')
    const verify = () => send('POST', '/verify')
    // A verification may be repeated.
    return { organizationId, send: verify, done: [200], action: 'domain.verified', entries: [1, 2] }
  },
  'its choice': async () => {
    const { organizationId, send } = await company('verified')
    const choose = () => send('PATCH', '', { membership: 'join' })
    return { organizationId, send: choose, done: [200], action: 'domain.membership_changed', entries: [1, 1] }
  },
  'its deletion': async () => {
    const { organizationId, send } = await company('verified')
    return { organizationId, send: () => send('DELETE'), done: [204, 404], action: 'domain.deleted', entries: [1, 1] }
  },
  'an accepted offer': async () => ({
    ...(await answering('accept')),
    done: [200, 404],
    action: 'member.joined',
    entries: [1, 1],
  }),
  'a declined offer': async () => ({
    ...(await answering('decline')),
    done: [204, 404],
    action: 'invitation.declined',
    entries: [1, 1],
  }),
}

/** The items of an organization and its domains agree with each other, and with its audit log. */
async function expectSound({ organizationId }: Story): Promise<void> {
  const items = await bed.stack.items()
  const own = items.filter(({ pk }) => pk === `ORG#${organizationId}`)
  const domains = own.filter(({ sk }) => String(sk).startsWith('DOMAIN#'))
  expect(own.find(({ sk }) => sk === 'DOMAINS')?.domains).toBe(domains.length)
  const held = items.filter((item) => item.pk === 'DOMAIN' && item.organizationId === organizationId)
  const facts = (item: (typeof items)[number]) => [item.id, item.name, item.membership]
  expect(held.map(facts)).toEqual(domains.filter(({ status }) => status === 'verified').map(facts))
  const entries = await bed.stack.auditEntries(organizationId)
  const joined = entries.filter(({ action }) => action === 'member.joined').length
  // The demo's owner, billing admin and member are there from the beginning.
  expect(own.filter(({ sk }) => String(sk).startsWith('MEMBER#'))).toHaveLength(3 + joined)
  const added = (
    await bed.stack.outbox(z.custom<Parameters<typeof bed.stack.outbox>[0]>().parse(organizationId))
  ).filter(({ type }) => type === 'member.added')
  expect(added).toHaveLength(joined)
}

describe.each(Object.entries(stories))('A domain in trouble, in every await of %s', (_, begin) => {
  it.each(troubles)('is sound, and the same request finishes: $kind of $times attempts', (trouble) =>
    expectFinished(bed.stack, trouble, { begin, expectSound, leastCalls: 2 }),
  )
})
