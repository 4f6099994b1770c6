import { describe, expect, it } from '@jest/globals'
import { customerOf } from '../../billing/gatewayView.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const backfill = commandOn(bed, 'operate', 'backfill-customers')

describe('npm run operate -- backfill-customers', () => {
  it('gives customers what they lack, page by page, keeps what they have, and does nothing when run again', async () => {
    const { stack } = bed
    const { customers } = stack.stripe
    const organizations = await Promise.all(
      [0, 1, 2].map(async () => (await stack.organizationWithCard()).organizationId),
    )
    const [bare = '', named = '', complete = ''] = await Promise.all(organizations.map((id) => customerOf(stack, id)))
    await customers.update(bare, { name: '', email: '' })
    await customers.update(named, { name: 'By hand', email: '' })
    await customers.update(complete, { name: 'By hand', email: 'by-hand@example.com' })
    // More than a page, and none of them ours: they are newer than the others.
    const strangers = await Promise.all(Array.from({ length: 100 }, () => customers.create({})))

    const dry = await backfill('--dry-run')
    expect(dry.output).toMatch(/would be completed: 2\b/)
    expect(await customers.retrieve(bare)).toMatchObject({ name: null, email: null })

    const wet = await backfill()
    expect(wet.output).toContain('102 customers lacked a name or an email address')
    expect(wet.output).toMatch(/completed: 2\b/)
    expect(wet.output).not.toContain('owner@example.com')
    expect(await customers.retrieve(bare)).toMatchObject({
      name: expect.stringMatching(/./),
      email: 'owner@example.com',
    })
    expect(await customers.retrieve(named)).toMatchObject({ name: 'By hand', email: 'owner@example.com' })
    expect(await customers.retrieve(complete)).toMatchObject({ name: 'By hand', email: 'by-hand@example.com' })
    // A customer that is bound to no organization is left alone, and left over.
    expect(wet).toMatchObject({ code: 2, output: expect.stringContaining('not bound: 100') })

    for (const { id } of strangers) await customers.del(id)
    await stack.emulator.clearRequests()
    expect(await backfill()).toMatchObject({ code: 0, output: expect.stringContaining('0 customers lacked') })
    expect((await stack.emulator.requests()).filter(({ method }) => method !== 'GET')).toEqual([])
    const entries = await Promise.all(organizations.map((id) => stack.auditEntries(id)))
    const said = entries.map((all) => all.filter(({ action }) => action === 'details.changed'))
    expect(said.map((all) => all.map(({ actor, detail }) => [actor.type, detail]))).toEqual([
      [['operator', { changed: ['name', 'email'] }]],
      [['operator', { changed: ['email'] }]],
      [],
    ])
  })
})
