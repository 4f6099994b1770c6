import { describe, expect, it } from '@jest/globals'
import { BillingError } from '../../../lib/billing/errors.ts'
import { GRACE, REMINDER } from '../../../lib/core/deletion.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { OrderedFault } from './faultyDeps.ts'
import { type OrganizationWorld, organizationWorld, START } from './organizationWorld.ts'

const world = () => organizationWorld(client)

const { client } = await openDocuments()

const scheduled = async () => {
  const all = await world()
  await all.request()
  return all
}

/** Past the end of the grace, before the run of that day. */
const due = async () => {
  const all = await scheduled()
  all.advance(START + GRACE)
  return all
}

const erased = async () => {
  const all = await due()
  await all.run()
  return all
}

type Step = 'request' | 'restore' | 'run'

/** The fault itself or, if the customer cannot be decrypted, what billing makes of it. */
const isFault = (error: unknown) =>
  error instanceof OrderedFault || (error instanceof BillingError && error.code === 'gateway_unavailable')

/** Fails each call of a step in a world of its own. The step's failure is a fault, unless it says that it is due again. */
async function atEveryCall(
  prepare: () => Promise<OrganizationWorld>,
  step: Step,
  expected: readonly string[],
  check: (all: OrganizationWorld, at: string) => Promise<void>,
): Promise<void> {
  const fine = (await prepare()).faulty()
  await fine[step]()
  expect(fine.calls()).toEqual(expected)
  for (const when of ['before', 'after'] as const) {
    for (const [call, name] of expected.entries()) {
      const all = await prepare()
      await all
        .faulty({ call, when })
        [step]()
        .catch((error: unknown) => expect(isFault(error) || error).toBe(true))
      await check(all, `${when} ${name} (${call})`)
    }
  }
}

/** Whether something is subscribed, or owed. */
const permitting = ['deletions.listHeld', 'records.readAccount', 'cipher.decrypt']
const mailed = ['deletions.listMembers', 'profiles.find', 'mailer.send', 'mailer.send']
const erasing = [
  ...['deletions.find', 'deletions.begin', 'records.readAccount', 'cipher.decrypt', 'customers.fetchCustomer'],
  ...['listing.listCustomerSubscriptions', 'cipher.decrypt', 'customers.deleteCustomer', 'deletions.eraseBelongings'],
  ...mailed,
  ...['deletions.listMembers', 'deletions.eraseMember', 'deletions.eraseMember', 'deletions.eraseMember'],
  ...['deletions.eraseApiClients', 'deletions.expireEndpoints', 'deletions.eraseOrganization'],
]
/** A run at the end of the grace still finds the reminder that no run was there for. */
const wholeRun = ['deletions.listDue', 'deletions.find', 'deletions.dismiss', ...erasing]

describe('A failure at any call of asking for an organization’s deletion', () => {
  it('leaves everything as it was and for sale, or everything planned and nothing for sale; then asked again it is erased', async () => {
    const untouched = await (await world()).traces()
    const planned = await (await scheduled()).traces()
    const gone = await (await erased()).traces()
    const calls = ['organizations.read', ...permitting, 'deletions.schedule', ...mailed]
    await atEveryCall(world, 'request', calls, async (all, at) => {
      const isPlanned = (await all.deletion()) !== undefined
      expect([at, isPlanned]).toEqual([
        at,
        !/^before (organ|deletions.(listHeld|sch)|rec|cip)|^after (organ|\S+listHeld|rec|cip)/.test(at),
      ])
      expect([at, await all.traces()]).toEqual([at, isPlanned ? planned : untouched])
      await all.request()
      expect([at, await all.traces()]).toEqual([at, planned])
      expect([at, await all.claim()]).toEqual([at, expect.objectContaining({ accountChanged: true })])
      all.advance(START + GRACE)
      expect([at, await all.run()]).toEqual([at, { reminded: 0, erased: 1, failed: 0 }])
      expect([at, await all.traces()]).toEqual([at, gone])
    })
  })

  it('lets a purchase claim its slot where nothing was planned, which keeps the deletion from being planned', async () => {
    const all = await world()
    await expect(all.faulty({ call: 1 + permitting.length, when: 'before' }).request()).rejects.toBeInstanceOf(
      OrderedFault,
    )
    expect(await all.claim()).toBeNull()
    await expect(all.request()).rejects.toMatchObject({ code: 'organization_subscribed' })
  })
})

describe('A failure at any call of restoring an organization', () => {
  it('leaves the deletion planned, which is then erased whole or restored whole, as its owner wants', async () => {
    const untouched = await (await world()).traces()
    const planned = await (await scheduled()).traces()
    const gone = await (await erased()).traces()
    const restored = (traces: readonly string[]) => traces.filter((text) => !/deletion_scheduled|restored/.test(text))
    await atEveryCall(scheduled, 'restore', ['organizations.read', 'deletions.restore'], async (all, at) => {
      const isPlanned = (await all.deletion()) !== undefined
      expect([at, isPlanned]).toEqual([at, at !== 'after deletions.restore (1)'])
      if (isPlanned) expect([at, await all.traces()]).toEqual([at, planned])
      await all.restore()
      await all.restore()
      const traces = await all.traces()
      expect([at, restored(traces)]).toEqual([at, untouched])
      expect([at, traces.filter((text) => text.includes('restored')).length]).toEqual([at, 1])
      all.advance(START + GRACE)
      expect([at, await all.run()]).toEqual([at, { reminded: 0, erased: 0, failed: 0 }])
      expect([at, await all.traces(), all.isCustomerDeleted()]).toEqual([at, traces, false])
      expect([at, await all.claim()]).toEqual([at, null])
    })
    await atEveryCall(scheduled, 'restore', ['organizations.read', 'deletions.restore'], async (all, at) => {
      if ((await all.deletion()) === undefined) return
      all.advance(START + GRACE)
      await all.run()
      expect([at, await all.traces()]).toEqual([at, gone])
    })
  })
})

describe('A failure at any call of an organization’s erasure', () => {
  it('keeps the slots, the audit log and another organization of the owner, and nothing else', async () => {
    const all = await erased()
    const actions = [
      ...['api_client.created', 'member.invited', 'organization.created', 'organization.deletion_scheduled'],
      'organization.erased',
    ]
    expect((await all.traces()).filter((text) => !text.includes('<1>'))).toEqual([
      ...actions.map((action) => JSON.stringify({ action, organizationId: '<0>' })),
      expect.stringContaining('"n":1'),
      ...['organization.created', 'organization.deleted'].map((type) =>
        JSON.stringify({ type, organizationId: '<0>' }),
      ),
    ])
    const ofOther = (traces: readonly string[]) => traces.filter((text) => text.includes('<1>'))
    expect(ofOther(await all.traces())).toEqual(ofOther(await (await world()).traces()))
    expect(ofOther(await all.traces()).length).toBeGreaterThan(2)
    expect(all.isCustomerDeleted()).toBe(true)
  })

  // [catch eraseDue.eraseDue]
  it('undoes nothing and sells nothing, and is mended by the next run, which ends at the same', async () => {
    const gone = await (await erased()).traces()
    const unreminded = (traces: readonly string[]) => traces.filter((text) => !text.includes('#remind#'))
    const planned = unreminded(await (await scheduled()).traces())
    await atEveryCall(due, 'run', wholeRun, async (all, at) => {
      const deletion = await all.deletion()
      const hasBegun = deletion?.erasingSince !== undefined
      // Before the erasure has begun nothing is erased, here or at the gateway.
      if (deletion && !hasBegun) {
        expect([at, unreminded(await all.traces()), all.isCustomerDeleted()]).toEqual([at, planned, false])
      }
      if (hasBegun) {
        await expect(all.restore()).rejects.toMatchObject({
          code: expect.stringMatching(/organization_(deleting|not_found)/),
        })
        expect([at, await all.claim()]).toEqual([at, expect.objectContaining({ accountChanged: true })])
      }
      const report = await all.run()
      expect([at, report.failed]).toEqual([at, 0])
      expect([at, await all.traces(), all.isCustomerDeleted()]).toEqual([at, gone, true])
      expect([at, await all.run()]).toEqual([at, { reminded: 0, erased: 0, failed: 0 }])
    })
  })

  it.each([
    ['not_due', { reminded: 0, erased: 0, failed: 0 }],
    ['held', { reminded: 0, erased: 0, failed: 1 }],
  ] as const)('erases nothing, and mails nothing of it, where it does not begin: %s', async (begun, report) => {
    const all = await due()
    await all.runBegun('not_due')
    const before = await all.traces()
    expect(await all.runBegun(begun)).toEqual(report)
    expect([await all.traces(), all.isCustomerDeleted()]).toEqual([before, false])
    expect(all.mails.filter(({ subject }) => subject.includes('was deleted'))).toEqual([])
  })

  it('mails every owner once at least, but where the mail is not taken', async () => {
    const lost: string[] = []
    await atEveryCall(due, 'run', wholeRun, async (all, at) => {
      await all.run()
      const owners = new Set(all.mails.filter(({ subject }) => subject.includes('was deleted')).map(({ to }) => to))
      if (owners.size < 2) lost.push(at)
    })
    // Only a mail that was not taken is not sent again: no mailbox keeps an organization from being erased.
    expect(lost).toEqual(['before mailer.send (14)', 'before mailer.send (15)'])
  })
})

describe('A failure at any call of reminding of an organization’s deletion', () => {
  const reminding = async () => {
    const all = await scheduled()
    all.advance(START + GRACE - REMINDER)
    return all
  }

  it('is mended by the next run, and the erasure follows at its time, no sooner', async () => {
    const gone = await (await erased()).traces()
    const calls = ['deletions.listDue', 'deletions.find', ...mailed, 'deletions.dismiss']
    await atEveryCall(reminding, 'run', calls, async (all, at) => {
      expect([at, (await all.run()).failed]).toEqual([at, 0])
      const reminded = all.mails.filter(({ subject }) => subject.includes('soon'))
      expect([at, reminded.length]).toEqual([at, expect.any(Number)])
      expect([at, reminded.length > 0]).toEqual([at, true])
      all.advance(START + GRACE - 1)
      expect([at, await all.run()]).toEqual([at, { reminded: 0, erased: 0, failed: 0 }])
      all.advance(START + GRACE)
      expect([at, await all.run()]).toEqual([at, { reminded: 0, erased: 1, failed: 0 }])
      expect([at, await all.traces()]).toEqual([at, gone])
    })
  })
})
