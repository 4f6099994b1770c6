import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { partner, registerPartner } from '../../support/partner.ts'
import { peopleOf } from '../members/people.ts'
import { ruledTeamsOf, twoFactors } from './ruledTeam.ts'
import { challenge, noClient, noFactor, required } from './ruleRefusals.ts'

const bed = useBillingStack()
const { setRole } = peopleOf(bed)
const { ruledTeam, setSecondFactor, signedIn, tokensOf, withToken } = ruledTeamsOf(bed)

const none = { second_factor_required_from: null, max_session_days: null, idle_hours: null, allowed_clients: null }

beforeAll(() => registerPartner(bed.stack.client.info))

describe('The sign-in rules of an organization', () => {
  it('are none at first, are changed member by member, and are in the audit log', async () => {
    const { strongOwner, rulesPath, path, saved, id } = await ruledTeam({ idle_hours: 12 })
    expect(saved).toMatchObject({ status: 200, body: { ...none, idle_hours: 12 } })
    const other = { ...required, allowed_clients: [partner.client_id] }
    expect(await strongOwner.call('PATCH', rulesPath, other)).toMatchObject({
      status: 200,
      body: { ...none, ...other, idle_hours: 12 },
    })
    const cleared = await strongOwner.call('PATCH', rulesPath, { idle_hours: null, second_factor_required_from: null })
    expect(cleared).toMatchObject({ status: 200, body: { ...none, allowed_clients: [partner.client_id] } })
    expect(await strongOwner.call('GET', rulesPath)).toMatchObject({ text: cleared.text, headers: cleared.headers })
    const log = z.object({ entries: z.array(z.unknown()) })
    const { entries } = log.parse((await strongOwner.call('GET', `${path}/audit-log`)).body)
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'organization.sign_in_rules_changed', target: id, detail: cleared.body },
      { action: 'organization.sign_in_rules_changed', detail: { ...none, ...other, idle_hours: 12 } },
    ])
    const unchanged = await strongOwner.call('PATCH', rulesPath, {})
    expect(unchanged).toMatchObject({ status: 200, text: cleared.text })
    expect(log.parse((await strongOwner.call('GET', `${path}/audit-log`)).body).entries).toHaveLength(entries.length)
  })

  it('are changed only as the owner has seen them, if the owner says so', async () => {
    const { strongOwner, rulesPath, saved } = await ruledTeam({ idle_hours: 12 })
    const known = { 'if-none-match': saved.headers.etag ?? '' }
    expect(await strongOwner.call('GET', rulesPath, undefined, known)).toMatchObject({ status: 304, text: '' })
    const seen = { 'if-match': saved.headers.etag ?? '' }
    expect((await strongOwner.call('PATCH', rulesPath, { idle_hours: 13 }, seen)).status).toBe(200)
    expect((await strongOwner.call('PATCH', rulesPath, { idle_hours: 14 }, seen)).status).toBe(412)
    expect(await strongOwner.call('GET', rulesPath)).toMatchObject({ body: { idle_hours: 13 } })
  })

  it.each([
    [{ max_session_days: 0 }, ['body', 'max_session_days'], 'greater_than_equal'],
    [{ max_session_days: 91 }, ['body', 'max_session_days'], 'less_than_equal'],
    [{ idle_hours: 0.5 }, ['body', 'idle_hours'], 'int_type'],
    [{ idle_hours: 721 }, ['body', 'idle_hours'], 'less_than_equal'],
    [{ second_factor_required_from: '2026-01-01T00:00:00' }, ['body', 'second_factor_required_from'], 'timezone_aware'],
    [{ second_factor_required_from: 'soon' }, ['body', 'second_factor_required_from'], 'datetime_parsing'],
    [{ allowed_clients: [partner.client_id, 'unknown'] }, ['body', 'allowed_clients', 1], 'value_error'],
    [{ allowed_clients: ['demo-console'] }, ['body', 'allowed_clients', 0], 'value_error'],
    [{ unknown: 1 }, ['body', 'unknown'], 'extra_forbidden'],
  ])('are 422 at the member for %j, and stay', async (rules, loc, type) => {
    const { saved, strongOwner, rulesPath } = await ruledTeam(rules)
    expect(saved).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } })
    expect(await strongOwner.call('GET', rulesPath)).toMatchObject({ body: none })
  })

  it('are for owners, and say to every member in the organization what is required', async () => {
    const {
      billing_admin: admin,
      member,
      stranger,
      rulesPath,
      path,
    } = await ruledTeam({
      second_factor_required_from: '2031-05-01T02:00:00+02:00',
    })
    for (const method of ['GET', 'PATCH'] as const) {
      expect((await admin.call(method, rulesPath, method === 'GET' ? undefined : {})).status).toBe(403)
      expect((await stranger.call(method, rulesPath, method === 'GET' ? undefined : {})).status).toBe(404)
    }
    const requires = { second_factor_from: '2031-05-01T00:00:00Z', sso: false }
    expect(await member.call('GET', path)).toMatchObject({ status: 200, body: { requires } })
    expect(await member.call('GET', '/api/organizations')).toMatchObject({ body: { organizations: [{ requires }] } })
  })

  it('are answered 503 while the store is unavailable, stay, and can be sent again', async () => {
    const { strongOwner, rulesPath } = await ruledTeam({})
    for (const kind of ['drop_before', 'drop_after'] as const) {
      bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 9, kind: 'drop_before' })
      expect((await strongOwner.call('PATCH', rulesPath, { idle_hours: 12 })).status).toBe(503)
      bed.stack.dynamoDb.reset()
      expect(await strongOwner.call('GET', rulesPath)).toMatchObject({ body: none })
      bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind })
      expect((await strongOwner.call('PATCH', rulesPath, { idle_hours: 12 })).status).toBe(200)
      bed.stack.dynamoDb.reset()
      expect((await strongOwner.call('PATCH', rulesPath, { idle_hours: null })).status).toBe(200)
    }
  })
})

describe('An owner who saves a rule', () => {
  it.each(['2026-01-01T00:00:00Z', '2031-01-01T00:00:00Z'])('has a second factor (from %s)', async (from) => {
    const { owner, rulesPath } = await ruledTeam({})
    await setSecondFactor(owner, false)
    const rules = { second_factor_required_from: from }
    expect(await owner.call('PATCH', rulesPath, rules)).toMatchObject(noFactor)
    expect(await owner.call('GET', rulesPath)).toMatchObject({ body: none })
    expect((await owner.call('PATCH', rulesPath, { max_session_days: 1, idle_hours: 1 })).status).toBe(200)
  })

  it('has used it for this sign-in', async () => {
    const { owner, rulesPath } = await ruledTeam({})
    const answer = await owner.call('PATCH', rulesPath, required)
    expect(answer).toMatchObject({ status: 401, body: { code: 'insufficient_user_authentication' } })
    expect(answer.headers['www-authenticate']).toContain('acr_values="aal2"')
  })

  it('may lift a rule that another owner set for later', async () => {
    const { member, rulesPath, id } = await ruledTeam({ second_factor_required_from: '2031-01-01T00:00:00Z' })
    await setRole(id, member, 'owner')
    expect(await member.call('PATCH', rulesPath, { idle_hours: 5 })).toMatchObject(noFactor)
    expect((await member.call('PATCH', rulesPath, { second_factor_required_from: null })).status).toBe(200)
  })
})

describe('A required second factor', () => {
  it('is from its date on, and no earlier', async () => {
    const at = (await bed.stack.emulator.now()) + 60
    const { member, path } = await ruledTeam({ second_factor_required_from: toRfc3339(at * 1000) })
    expect((await member.call('GET', path)).status).toBe(200)
    await bed.stack.emulator.advance(61)
    expect(await member.call('GET', path)).toMatchObject(noFactor)
  })

  // [threat 93.3]
  it('asks a member who has one to sign in with it, and one who has none to add one', async () => {
    const { member, path } = await ruledTeam(required)
    const strong = await signedIn(member, { methods: twoFactors })
    expect(await member.call('GET', path)).toMatchObject(noFactor)
    // The factor of this sign-in was removed since.
    expect(await strong.call('GET', path)).toMatchObject(noFactor)
    await setSecondFactor(member, true)
    expect(await member.call('GET', path)).toMatchObject(challenge('acr_values="aal2"'))
    expect((await strong.call('GET', path)).status).toBe(200)
  })
})

describe('The age of a sign-in', () => {
  it('is at most that of the rule, to the second, and is asked for with the second factor at once', async () => {
    const { member, path, strongOwner, rulesPath } = await ruledTeam({ max_session_days: 2 })
    const at = (secondsAgo: number) => signedIn(member, { secondsAgo })
    expect((await (await at(2 * 86_400 - 30)).call('GET', path)).status).toBe(200)
    const old = await at(2 * 86_400 + 1)
    expect(await old.call('GET', path)).toMatchObject(challenge('max_age="172800"'))
    await strongOwner.call('PATCH', rulesPath, required)
    await setSecondFactor(member, true)
    expect(await old.call('GET', path)).toMatchObject(challenge('max_age="172800", acr_values="aal2"'))
  })
})

describe('A pause in the use of a session', () => {
  async function refreshed(refreshToken: string) {
    const { client_id, client_secret } = bed.stack.client.info.demo
    const body = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: refreshToken }
    const answer = await bed.stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
    const tokens = z.object({ access_token: z.string(), refresh_token: z.string() }).parse(answer.body)
    return { user: withToken(tokens.access_token), refreshToken: tokens.refresh_token }
  }

  it('ends it for the organization once it is as long as the rule, for good', async () => {
    const { member, path } = await ruledTeam({ idle_hours: 2 })
    const { refreshToken } = await tokensOf(member)
    await bed.stack.emulator.advance(2 * 3600 - 30)
    const active = await refreshed(refreshToken)
    expect((await active.user.call('GET', path)).status).toBe(200)
    await bed.stack.emulator.advance(2 * 3600)
    const idle = await refreshed(active.refreshToken)
    expect(await idle.user.call('GET', path)).toMatchObject(challenge('max_age="600"'))
    expect((await idle.user.call('GET', '/api/organizations')).status).toBe(200)
    const again = await refreshed(idle.refreshToken)
    expect(await again.user.call('GET', path)).toMatchObject(challenge('max_age="600"'))
    expect((await (await signedIn(member)).call('GET', path)).status).toBe(200)
  })
})

describe('The applications that may act', () => {
  const scope = 'profile members:read billing:read'

  // [threat 93.5]
  it.each([
    [null, 200],
    [[partner.client_id], 200],
    [[], 403],
  ])('are those of %j', async (allowed, status) => {
    const { member, path, id } = await ruledTeam({ allowed_clients: allowed })
    const user = await signedIn(member, { client: partner, scope })
    const answers = [
      await user.call('GET', path),
      await user.call('GET', `${path}/members`),
      await user.call('GET', `/api/billing/subscriptions?organization_id=${id}`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
    if (status === 403) for (const answer of answers) expect(answer).toMatchObject(noClient)
    const listed = await user.call('GET', '/api/organizations')
    expect(JSON.stringify(listed.body).includes(id)).toBe(status === 200)
    expect((await member.call('GET', path)).status).toBe(200)
  })
})

describe('Clients without a user', () => {
  it('are not held to the rules of members', async () => {
    const rules = { ...required, max_session_days: 1, idle_hours: 1, allowed_clients: [] }
    const { strongOwner, path, id } = await ruledTeam(rules)
    const made = await strongOwner.call('POST', `${path}/api-clients`, { name: 'Export', scopes: ['members:read'] })
    const { client_id, client_secret } = z.object({ client_id: z.string(), client_secret: z.string() }).parse(made.body)
    const body = { client_id, client_secret, grant_type: 'client_credentials' }
    const answer = await bed.stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
    const { access_token } = z.object({ access_token: z.string() }).parse(answer.body)
    expect((await withToken(access_token).call('GET', `/api/organizations/${id}/members`)).status).toBe(200)
  })
})
