import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createAuthenticators } from '../../../lib/adapters/dynamodb/authenticatorStore.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { withLostKey } from './loseKey.ts'

const bed = useBillingStack()
const reset = commandOn(bed, 'operate', 'reset-totp')
const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

describe('npm run operate -- reset-totp', () => {
  it('removes apps of a lost key, one user or all, keeps other factors and sessions, and mails each once', async () => {
    const { stack } = bed
    const { client } = stack
    const [ada, bob] = [await enrollFactors(client), await enrollFactors(client)]
    const token = ada.accessToken
    const created = await client.send({ method: 'POST', path: '/api/organizations', token, body: { name: 'Acme' } })
    const { id } = z.object({ id: z.string() }).parse(created.body)
    await withLostKey(stack, async (lost) => {
      for (const { userId } of [ada, bob]) await lost.totp(userId)
    })
    const factorsOf = ({ userId }: typeof ada) =>
      createAuthenticators(stack.documents, client.info.tables.accounts).list(userId)
    const before = await factorsOf(ada)
    expect(before).toMatchObject({ totp: { createdAt: expect.any(Number) } })

    const dry = await reset('--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${bob.userId}: the authenticator app would`),
    })
    expect(await factorsOf(ada)).toEqual(before)
    // Set up after the loss: its key is the key of now.
    const early = await reset('--before', '2020-01-01T00:00:00Z')
    expect(early).toMatchObject({ code: 0, output: expect.stringContaining('0 authenticator apps were set up before') })

    await stack.emulator.advance(60)
    const one = await reset(ada.userId)
    expect(one).toMatchObject({ code: 0, output: expect.stringContaining(`${ada.userId}: the authenticator app was`) })
    expect(one.output).toMatch(/repeat it with --before 2.*Z\n/)
    expect(one.output).not.toMatch(/@|JBSWY/)
    expect(await factorsOf(ada)).toEqual({ ...before, totp: undefined })
    expect((await factorsOf(bob)).totp).toBeDefined()
    expect(one.output).toContain('1 of their users have no passkey')
    const me = await client.send({ method: 'GET', path: '/api/users/me', token })
    expect(me.status).toBe(200)
    const all = await reset()
    expect(all.output).toContain(`${bob.userId}: the authenticator app was removed`)
    expect(all.output).not.toContain(ada.userId)
    expect((await factorsOf(bob)).totp).toBeUndefined()
    expect((await reset()).output).toContain('0 authenticator apps were set up before')

    const actions = (await stack.auditEntries(id)).flatMap(({ action, actor, target }) =>
      action.startsWith('user.') ? [[action, actor.type, target]] : [],
    )
    expect(actions).toEqual([['user.totp_removed', 'operator', ada.userId]])
    const activity = await client.send({ method: 'GET', path: '/api/users/me/activity', token })
    expect(JSON.stringify(activity.body)).toContain('factor_removed')
    for (const _run of [1, 2]) await runSchedule('factor-resets-run')
    const sent = mails.parse((await client.send({ method: 'GET', path: '/_local/mail.json' })).body)
    const told = sent.filter(({ subject }) => subject === 'Set up your authenticator app again')
    expect(told.map(({ to }) => to).toSorted()).toEqual([ada.email, bob.email].toSorted())
    expect(told[0]?.text).toContain('/api/account/security')
  })

  it.each([
    [['no-uuid'], 1, 'USER is an id'],
    [['--before', 'yesterday'], 1, 'TIME of --before is like'],
  ])('exits with what is wrong with %j', async (args, code, output) => {
    expect(await reset(...args)).toEqual({ code, output: expect.stringContaining(output) })
  })
})
