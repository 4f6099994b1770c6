import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { newDomain, provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

/** What may happen to a call: one attempt that the SDK repeats, every attempt of one call, and every call from then on. */
const troubles = [
  { kind: 'drop_before', times: 3 },
  { kind: 'drop_after', times: 1 },
  { kind: 'drop_after', times: 3 },
  { kind: 'error', times: 99 },
] as const

interface Story {
  readonly organizationId: string
  /** The request, which is the same each time. */
  readonly send: () => Promise<{ readonly status: number }>
  /** The statuses of its repetition, done before or not. */
  readonly done: readonly number[]
  /** The action that the audit log has once. */
  readonly action: string
}

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
async function answering(answer: 'accept' | 'decline'): Promise<Omit<Story, 'done' | 'action'>> {
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
    return { organizationId, send, done: [201], action: 'domain.added' }
  },
  'its verification': async () => {
    const { organizationId, send } = await company('pending')
    return { organizationId, send: () => send('POST', '/verify'), done: [200], action: 'domain.verified' }
  },
  'its choice': async () => {
    const { organizationId, send } = await company('verified')
    const choose = () => send('PATCH', '', { membership: 'join' })
    return { organizationId, send: choose, done: [200], action: 'domain.membership_changed' }
  },
  'its deletion': async () => {
    const { organizationId, send } = await company('verified')
    return { organizationId, send: () => send('DELETE'), done: [204, 404], action: 'domain.deleted' }
  },
  'an accepted offer': async () => ({ ...(await answering('accept')), done: [200, 404], action: 'member.joined' }),
  'a declined offer': async () => ({
    ...(await answering('decline')),
    done: [204, 404],
    action: 'invitation.declined',
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
  it.each(troubles)('is sound, and the same request finishes: $kind of $times attempts', async (trouble) => {
    const { dynamoDb, emulator } = bed.stack
    const plain = await begin()
    dynamoDb.reset()
    expect((await plain.send()).status).toBeLessThan(300)
    const calls = dynamoDb.calls().length
    expect(calls).toBeGreaterThanOrEqual(2)
    for (let after = 0; after < calls; after += 1) {
      await emulator.advance(61)
      const story = await begin()
      dynamoDb.reset()
      dynamoDb.fail({ ...trouble, after })
      const { status } = await story.send()
      dynamoDb.reset()
      expect([after, [...story.done, 503].includes(status)]).toEqual([after, true])
      await expectSound(story)
      await emulator.advance(61)
      expect(story.done).toContain((await story.send()).status)
      await expectSound(story)
      const entries = await bed.stack.auditEntries(story.organizationId)
      const written = entries.filter(({ action }) => action === story.action).length
      // A verification may be repeated. The domain of the story's beginning was added, too.
      const most = story.action === 'domain.verified' || story.action === 'domain.added' ? 2 : 1
      expect(written).toBeGreaterThanOrEqual(1)
      expect(written).toBeLessThanOrEqual(most)
    }
  })
})
