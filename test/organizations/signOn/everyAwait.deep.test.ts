import { afterEach, describe, expect, it } from '@jest/globals'
import { sampleIssuer, signOnOrganization, verifiedOrganization } from '../../../infra/local/samples/sampleSignOn.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
afterEach(() => {
  bed.stack.dynamoDb.reset()
  bed.stack.kms.reset()
})

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
  /** The action that its audit entry has. */
  readonly action: string
  /** How many entries there are at least and at most. */
  readonly entries: readonly [number, number]
}

async function request(organizationId: string, method: 'PUT' | 'DELETE', body?: object) {
  const { client } = bed.stack
  const token = await client.accessToken('owner')
  return () => client.send({ method, path: `/api/organizations/${organizationId}/sso`, token, body })
}

function settings(more: object = {}) {
  return { type: 'oidc', issuer: sampleIssuer(bed.stack.client), client_id: 'sample', enforced: true, ...more }
}

const stories: Record<string, () => Promise<Story>> = {
  'its first save': async () => {
    const organizationId = await verifiedOrganization(bed.stack.client)
    const send = await request(organizationId, 'PUT', settings({ client_secret: 'sesame' }))
    // A secret that is sent again is written again.
    return { organizationId, send, done: [200], action: 'sso.updated', entries: [1, 2] }
  },
  'a later save': async () => {
    const organizationId = await signOnOrganization(bed.stack.client)
    const send = await request(organizationId, 'PUT', settings())
    return { organizationId, send, done: [200], action: 'sso.updated', entries: [2, 2] }
  },
  'its deletion': async () => {
    const organizationId = await signOnOrganization(bed.stack.client)
    const send = await request(organizationId, 'DELETE')
    return { organizationId, send, done: [204, 404], action: 'sso.deleted', entries: [1, 1] }
  },
}

/** The sign-on and the rule of the organization say the same. */
async function expectSound({ organizationId }: Story): Promise<void> {
  const own = (await bed.stack.items()).filter(({ pk }) => pk === `ORG#${organizationId}`)
  const signOn = own.find(({ sk }) => sk === 'SIGN_ON')
  const { breakGlassUserId, isEnforced } = signOn ?? {}
  const rule = signOn && { isEnforced, ...(breakGlassUserId !== undefined && { breakGlassUserId }) }
  expect(own.find(({ sk }) => sk === 'ACCOUNT')?.signOn).toEqual(rule)
}

describe.each(Object.entries(stories))('A single sign-on in trouble, in every await of %s', (_, begin) => {
  it.each(troubles)('is sound, and the same request finishes: $kind of $times attempts', async (trouble) => {
    const { dynamoDb, emulator } = bed.stack
    const plain = await begin()
    dynamoDb.reset()
    expect((await plain.send()).status).toBeLessThan(300)
    const calls = dynamoDb.calls().length
    expect(calls).toBeGreaterThanOrEqual(3)
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
      expect(written).toBeGreaterThanOrEqual(story.entries[0])
      expect(written).toBeLessThanOrEqual(story.entries[1])
    }
  })
})

describe('A single sign-on whose secret cannot be encrypted', () => {
  it.each(troubles)('is not stored: $kind of $times attempts', async (trouble) => {
    const { kms } = bed.stack
    const story = await stories['its first save']?.()
    kms.reset()
    kms.fail(trouble)
    const status = (await story?.send())?.status
    // The SDK repeats what got no answer once.
    expect(status).toBe(trouble.times === 1 ? 200 : 503)
    kms.reset()
    expect((await story?.send())?.status).toBe(200)
  })
})
