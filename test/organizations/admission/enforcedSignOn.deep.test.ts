import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { organizationKey } from '../../../lib/adapters/dynamodb/organizationItem.ts'
import { type OrganizationId, organizationIdSchema } from '../../../lib/core/ids.ts'
import type { SignOnRule } from '../../../lib/organizations/ports.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { peopleOf } from '../members/people.ts'
import { tenantOperations } from '../members/tenantOperations.ts'
import { ruledTeamsOf, twoFactors } from './ruledTeam.ts'

const bed = useBillingStack()
const { stored, setRole, team } = peopleOf(bed)
const { setSecondFactor, signedIn, withToken } = ruledTeamsOf(bed)
const operations = await tenantOperations()

const ruled = 'Sign in again: the sign-in rules of this organization require it'
const challenge = (asked: string) => ({
  status: 401,
  body: errorBody(ruled, 'insufficient_user_authentication'),
  headers: {
    'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="${ruled}", ${asked}`,
  },
})

/** Writes what the stores of sign-ons and of domains keep with the organization. */
async function setRules(id: OrganizationId, rules: { signOn?: SignOnRule; domains?: string[]; second?: boolean }) {
  const { signOn = { isEnforced: true }, domains = ['example.com'], second = false } = rules
  await setAttributes(bed.stack.documents, bed.stack.client.info.tables.billing, organizationKey(id), {
    signOn,
    verifiedDomains: new Set(domains),
    signInRules: second ? { secondFactorFrom: 1 } : {},
  })
}

/** A team at `example.com`, whose organization enforces its sign-on. */
async function company(rules: Parameters<typeof setRules>[1] = {}) {
  const all = await team()
  await setRules(all.id, rules)
  const sso = organizationIdSchema.parse(all.id)
  return { ...all, sso, asked: challenge(`acr_values="sso:${sso}"`) }
}

describe('An enforced single sign-on', () => {
  // [asvs 10.3.4] [threat 115.32]
  it('lets in the members of the domain who came by it, and no other sign-in', async () => {
    const { member, path, sso, asked } = await company()
    expect(await member.call('GET', path)).toMatchObject(asked)
    const other = organizationIdSchema.parse(randomUUID())
    expect(await (await signedIn(member, { sso: other })).call('GET', path)).toMatchObject(asked)
    const served = await (await signedIn(member, { sso })).call('GET', path)
    expect(served).toMatchObject({ status: 200, body: { requires: { sso: true } } })
  })

  it.each([
    ['that is not enforced', { signOn: { isEnforced: false } }],
    ['whose domain is another', { domains: ['example.org', 'sub.example.com'] }],
  ])('%s binds nobody', async (_, rules) => {
    const { member, path } = await company(rules)
    expect((await member.call('GET', path)).status).toBe(200)
  })

  it('does not bind the owner who enforced it, nor other organizations', async () => {
    const all = await team()
    await setRules(all.id, { signOn: { isEnforced: true, breakGlassUserId: all.owner.id } })
    expect((await all.owner.call('GET', all.path)).status).toBe(200)
    expect((await all.member.call('GET', all.path)).status).toBe(401)
    const elsewhere = await all.member.call('POST', '/api/organizations', { name: 'Another' })
    const { id } = z.object({ id: z.string() }).parse(elsewhere.body)
    expect((await all.member.call('GET', `/api/organizations/${id}`)).status).toBe(200)
    expect((await all.member.call('GET', '/api/organizations')).status).toBe(200)
  })

  // [threat 93.19]
  it('ends with its domain for those who came by it, until they sign in another way', async () => {
    const { member, billing_admin, path, id, sso } = await company()
    const [came, provided] = [await signedIn(member, { sso }), await signedIn(billing_admin, { sso, methods: ['mfa'] })]
    expect((await came.call('GET', path)).status).toBe(200)
    await setRules(id, { domains: ['example.org'] })
    expect(await came.call('GET', path)).toMatchObject(challenge('max_age="0"'))
    expect((await (await signedIn(member)).call('GET', path)).status).toBe(200)
    await setRules(id, { domains: ['example.org'], second: true })
    expect(await provided.call('GET', path)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
  })

  it('is asked for together with the second factor, and replaces that if the provider shows two', async () => {
    const { member, path, sso, asked } = await company({ second: true })
    expect(await member.call('GET', path)).toMatchObject(asked)
    const weak = await signedIn(member, { sso })
    expect(await weak.call('GET', path)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    expect((await (await signedIn(member, { sso, methods: ['mfa'] })).call('GET', path)).status).toBe(200)
    await setSecondFactor(member, true)
    expect(await member.call('GET', path)).toMatchObject(challenge(`acr_values="sso:${sso} aal2"`))
    expect(await weak.call('GET', path)).toMatchObject(challenge('acr_values="aal2"'))
    expect((await (await signedIn(member, { sso, methods: twoFactors })).call('GET', path)).status).toBe(200)
  })

  it('lets no owner require a factor that only the provider has shown', async () => {
    const { owner, path, sso } = await company()
    const provided = await signedIn(owner, { sso, methods: ['mfa'] })
    const rules = { second_factor_required_from: '2031-01-01T00:00:00Z' }
    const answer = await provided.call('PATCH', `${path}/sign-in-rules`, rules)
    expect(answer).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
  })

  it('does not concern API clients', async () => {
    const { owner, path, sso } = await company()
    const strong = await signedIn(owner, { sso })
    const made = await strong.call('POST', `${path}/api-clients`, { name: 'Export', scopes: ['members:read'] })
    const { client_id, client_secret } = z.object({ client_id: z.string(), client_secret: z.string() }).parse(made.body)
    const body = { client_id, client_secret, grant_type: 'client_credentials' }
    const answer = await bed.stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
    const { access_token } = z.object({ access_token: z.string() }).parse(answer.body)
    expect((await withToken(access_token).call('GET', `${path}/members`)).status).toBe(200)
  })
})

describe('Every operation on an organization that enforces its sign-on', () => {
  let all: Awaited<ReturnType<typeof company>>
  beforeAll(async () => {
    all = await company()
    await setRole(all.id, all.member, 'owner')
  })

  // [threat 115.32]
  it.each(operations)('$name refuses another sign-in, and writes and calls nothing', async ({ call }) => {
    const before = await stored(all.id)
    await bed.stack.emulator.clearRequests()
    bed.stack.dynamoDb.reset()
    expect(await call(all.member, all.id, all.owner.id)).toMatchObject(all.asked)
    expect(bed.stack.writes()).toEqual([])
    expect(await bed.stack.emulator.requests()).toEqual([])
    expect(await stored(all.id)).toEqual(before)
  })

  it.each(operations)('$name answers a stranger as if there were none', async ({ call }) => {
    expect((await call(all.stranger, all.id, all.member.id)).status).toBe(404)
  })
})
