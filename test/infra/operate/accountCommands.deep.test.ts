import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { runSchedule } from '../../support/runSchedule.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate')

async function subjectsTo(address: string): Promise<string[]> {
  const { body } = await bed.stack.client.send({ method: 'GET', path: '/_local/mail.json' })
  const mails = z.array(z.object({ to: z.string(), subject: z.string() })).parse(body)
  return mails.flatMap(({ to, subject }) => (to === address ? [subject] : []))
}

const nobody = '11111111-2222-4333-8444-555555555555'
const shownOrganization = z.object({
  organization: z.object({ id: z.string(), gateway: z.string(), has_customer: z.boolean() }),
  slots: z.array(z.object({ product: z.string(), state: z.string(), subscription_id: z.string().nullable() })),
  members: z.array(z.object({ user_id: z.string(), role: z.string(), email: z.string().nullable() })),
  audit_log: z.array(z.object({ action: z.string() })),
})
const shownUser = z.object({
  user: z.object({
    id: z.string(),
    is_active: z.boolean(),
    has_password: z.boolean(),
    has_second_factor: z.boolean(),
  }),
  organizations: z.array(z.object({ id: z.string(), role: z.string() })),
})

describe('npm run operate -- suspend, restore, sign-out', () => {
  // [asvs 7.4.5]
  it('end what the user has at the next request, in an entry of each organization, and change nothing in a dry run', async () => {
    const { stack } = bed
    const { client } = stack
    const { member, organization_id: organizationId } = client.info.demo
    const own = async () =>
      (await stack.auditEntries(organizationId)).flatMap(({ action, actor, target }) =>
        action.startsWith('user.') ? [[action, actor.type, actor.id, target]] : [],
      )
    const me = (token: string) => client.send({ method: 'GET', path: '/api/users/me', token })
    const token = async () => (await client.signIn('member')).access_token
    const first = await token()

    const dry = await operate('suspend', member.id, '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('the user would be suspended') })
    expect((await me(first)).status).toBe(200)
    expect(await own()).toEqual([])

    const suspended = await operate('suspend', member.id)
    expect(suspended).toMatchObject({ code: 0, output: expect.stringContaining('the user was suspended') })
    expect(suspended.output).toContain('Account changed by an operator')
    expect(suspended.output).not.toContain('@')
    expect((await me(first)).status).toBe(401)
    expect(await operate('suspend', member.id)).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing to do, the user is suspended'),
    })

    expect(await operate('restore', member.id)).toMatchObject({ code: 0 })
    expect((await me(first)).status).toBe(401)
    expect((await operate('restore', member.id)).output).toContain('nothing to do, the user is active')

    const second = await token()
    expect((await me(second)).status).toBe(200)
    expect(await operate('sign-out', member.id)).toMatchObject({ code: 0 })
    expect((await me(second)).status).toBe(401)
    expect((await me(await token())).status).toBe(200)
    expect(await own()).toEqual([
      ['user.suspended', 'operator', null, member.id],
      ['user.restored', 'operator', null, member.id],
      ['user.signed_out', 'operator', null, member.id],
    ])
  })

  it.each([
    [['suspend', nobody], 2, 'there is no such user'],
    [['sign-out', 'no-uuid'], 1, 'USER is an id'],
    [['restore'], 1, 'npm run operate -- <command>'],
  ])('exit with what is wrong with %j', async (args, code, output) => {
    expect(await operate(...args)).toEqual({ code, output: expect.stringContaining(output) })
  })
})

describe('npm run operate -- remove-factors', () => {
  it('schedules the removal, or does it now, in an entry of each organization, and has the user mailed', async () => {
    const { stack } = bed
    const { client } = stack
    const { userId, email, accessToken: token } = await enrollFactors(client)
    const created = await client.send({ method: 'POST', path: '/api/organizations', token, body: { name: 'Acme' } })
    const { id } = z.object({ id: z.string() }).parse(created.body)
    const actions = async () =>
      (await stack.auditEntries(id)).flatMap(({ action, actor }) =>
        action.startsWith('user.') ? [[action, actor.type]] : [],
      )
    const isSignedIn = async () => {
      const { body } = await client.send({ method: 'GET', path: '/api/users/me', token })
      return z.object({ id: z.string() }).safeParse(body).success
    }
    const hasFactor = async () =>
      shownUser.parse(JSON.parse((await operate('show', userId)).output)).user.has_second_factor
    expect(await hasFactor()).toBe(true)
    const dry = await operate('remove-factors', userId, '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('the second factors would be removed at 2') })
    expect(await operate('remove-factors', userId, '--now', '--dry-run')).toMatchObject({ code: 0 })
    expect(await actions()).toEqual([])
    const scheduled = await operate('remove-factors', userId)
    expect(scheduled).toMatchObject({ code: 0, output: expect.stringContaining('will be removed at 2') })
    expect(scheduled.output).toContain('in the audit log of 1 organizations')
    expect(scheduled.output).not.toContain('@')
    expect((await operate('remove-factors', userId)).output).toContain('nothing to do, they are removed at 2')
    expect(await isSignedIn()).toBe(true)
    const removed = await operate('remove-factors', userId, '--now')
    expect(removed).toMatchObject({ code: 0, output: expect.stringContaining('the second factors were removed') })
    expect(removed.output).toContain('Account changed by an operator')
    expect(await isSignedIn()).toBe(false)
    expect(await hasFactor()).toBe(false)
    expect(await operate('remove-factors', userId)).toMatchObject({
      code: 2,
      output: expect.stringContaining('the user has no second factor'),
    })
    expect(await actions()).toEqual([
      ['user.factor_removal_scheduled', 'operator'],
      ['user.factors_removed', 'operator'],
    ])
    await runSchedule('factor-resets-run')
    expect(await subjectsTo(email)).toContain('Your second factors were removed')
  })

  it.each([
    [['remove-factors', nobody], 2, 'there is no such user'],
    [['suspend', nobody, '--now'], 1, '--now is of remove-factors alone'],
  ])('exits with what is wrong with %j', async (args, code, output) => {
    expect(await operate(...args)).toEqual({ code, output: expect.stringContaining(output) })
  })
})

describe('npm run operate -- show', () => {
  it('prints an organization with its slots, members and changes, without the gateway’s customer', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    const { code, output } = await operate('show', organizationId)
    expect(code).toBe(0)
    const shown = shownOrganization.parse(JSON.parse(output))
    expect(shown.organization).toEqual({ id: organizationId, gateway: 'card', has_customer: true })
    expect(shown.slots).toContainEqual({
      product: 'ota',
      state: 'active',
      subscription_id: expect.stringMatching(/^sub_/),
    })
    const { owner } = stack.client.info.demo
    expect(shown.members).toContainEqual({ user_id: owner.id, role: 'owner', email: 'owner@example.com' })
    expect(shown.audit_log.map(({ action }) => action)).toContain('subscription.purchased')
    expect(output).not.toContain('cus_')
  })

  it('prints a user with the organizations, without the password’s hash, and is refused for an id of neither', async () => {
    const { stack } = bed
    const { member } = stack.client.info.demo
    const { code, output } = await operate('show', member.id)
    expect(code).toBe(0)
    const shown = shownUser.parse(JSON.parse(output))
    expect(shown.user).toEqual({ id: member.id, is_active: true, has_password: true, has_second_factor: false })
    expect(shown.organizations.map(({ role }) => role)).toContain('member')
    expect(output).not.toContain('argon2')
    expect(await operate('show', 'Member@Example.com')).toEqual({ code, output })
    const stranger = 'nobody@example.com'
    expect(await operate('show', stranger)).toEqual({ code: 2, output: expect.stringContaining('no organization') })
    expect(await operate('show', nobody)).toEqual({ code: 2, output: expect.stringContaining('no organization') })
    expect(await operate('show', 'x')).toEqual({ code: 1, output: expect.stringContaining('ID is of') })
  })
})
