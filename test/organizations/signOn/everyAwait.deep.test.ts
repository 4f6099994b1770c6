import { afterEach, describe, expect, it } from '@jest/globals'
import { sampleIssuer, signOnOrganization, verifiedOrganization } from '../../../infra/local/samples/sampleSignOn.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { expectFinished, type Story, troubles } from '../members/everyAwait.ts'

const bed = useBillingStack()
afterEach(() => {
  bed.stack.dynamoDb.reset()
  bed.stack.kms.reset()
})

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
  it.each(troubles)('is sound, and the same request finishes: $kind of $times attempts', (trouble) =>
    expectFinished(bed.stack, trouble, { begin, expectSound, leastCalls: 3 }),
  )
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
