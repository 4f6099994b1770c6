import { afterEach, describe, expect, it } from '@jest/globals'
import { createSetupIntent } from '../../../lib/billing/customer/setupIntent.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { organizationId, userId } from '../../billing/fixtures.ts'
import type { FaultKind } from './faults/faults.ts'
import type { Choose } from './orders/gate.ts'
import { failing, join, secondOwner } from './stories/storiesGround.ts'
import { createWorld, type Operation, type World } from './world.ts'

let world: World
afterEach(() => {
  expect(world.violations).toEqual([])
  world.close()
})

async function begin(): Promise<void> {
  world = createWorld(5)
  await join(world, organizationId)
}

/** Asks for a setup intent, which needs the customer, as a user with this address. */
const settingUp = (as: UserId, email: string, isVerified = true): Operation => {
  const user = { id: as, email, username: as, isActive: true, isVerified, isSuperuser: false, createdAt: 0 }
  return (deps) =>
    createSetupIntent(
      { ...deps, users: { find: async () => user } },
      { organizationId, caller: { userId: as, securityRev: 0 } },
    )
}
const first = settingUp(userId, 'first@example.com')
const second = settingUp(secondOwner, 'second@example.com')

function rename(name: string): void {
  const stored = world.records.save()
  world.records.load({ ...stored, accounts: stored.accounts.map((account) => ({ ...account, name })) })
}

const customers = () =>
  world.stripe.core.control
    .state()
    .customers.filter(({ metadata }) => metadata.organization_id === organizationId)
    .map(({ name, email }) => ({ name, email }))
const accountNow = () => world.records.readAccount(organizationId)

describe('Given an organization without a customer', () => {
  it('creates it with the name of the organization and the verified address of who asks', async () => {
    await begin()
    expect(await world.run(first)).toMatchObject({ kind: 'answered' })
    expect(customers()).toEqual([{ name: 'Acme', email: 'first@example.com' }])
  })

  it.each([
    ['that is not verified', settingUp(userId, 'first@example.com', false)],
    ['that the gateway does not take', settingUp(userId, 'first@localhost')],
  ])('creates it without an address %s', async (_, operation) => {
    await begin()
    expect(await world.run(operation)).toMatchObject({ kind: 'answered' })
    expect(customers()).toEqual([{ name: 'Acme', email: null }])
  })

  describe('Given a first request that ended early, and then another name and another user', () => {
    it.each<[string, FaultKind]>([
      ['records.freezeCustomer#1', 'crash after'],
      ['records.freezeCustomer#1', 'answer lost'],
      ['gateway.createCustomer#1', 'not applied'],
      ['gateway.createCustomer#1', 'crash after'],
      ['gateway.createCustomer#1', 'answer lost'],
      ['gateway.createCustomer#1', 'late'],
      ['gateway.createCustomer#1', 'saved 500'],
      ['gateway.createCustomer#1', 'saved 500 after the effect'],
      ['cipher.encrypt#1', 'crash after'],
      ['records.bindCustomer#1', 'crash before'],
      ['records.bindCustomer#1', 'answer lost'],
    ])('sends the key again with what the first one froze (%s, %s)', async (call, kind) => {
      await begin()
      await failing(world, first, [{ at: `0/${call}`, kind }])
      rename('Renamed')
      expect(await world.run(second)).toMatchObject({ kind: 'answered' })
      await world.pass(46_000)
      // A key that kept a failure is left for one of its own: its customer may exist beside the one that is bound.
      expect(new Set(customers().map(({ email }) => email))).toEqual(new Set(['first@example.com']))
      expect(new Set(customers().map(({ name }) => name))).toEqual(new Set(['Acme']))
      expect(customers().length).toBe(kind === 'saved 500 after the effect' ? 2 : 1)
      expect(await accountNow()).not.toHaveProperty('customerRequest')
    })

    it('freezes anew where nothing had been frozen', async () => {
      await begin()
      await failing(world, first, [{ at: '0/records.freezeCustomer#1', kind: 'crash before' }])
      rename('Renamed')
      await world.run(second)
      expect(customers()).toEqual([{ name: 'Renamed', email: 'second@example.com' }])
    })
  })

  const firstUserFirst: Choose = (ready) => {
    const [oldest] = ready.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    if (!oldest) throw new Error('There is no call to choose')
    return oldest
  }
  const newestFirst: Choose = (ready) => {
    const newest = ready.at(-1)
    if (!newest) throw new Error('There is no call to choose')
    return newest
  }

  it.each([
    ['one after the other', undefined],
    ['the last one first', newestFirst],
    ['the first user’s calls first', firstUserFirst],
  ])('creates one customer for two users at once, with the details of one of them (%s)', async (_, choose) => {
    await begin()
    const endings = await world.runTogether([first, second], choose)
    expect(endings.map(({ kind }) => kind)).toEqual(['answered', 'answered'])
    expect(customers()).toHaveLength(1)
    expect(await accountNow()).not.toHaveProperty('customerRequest')
  })
})
