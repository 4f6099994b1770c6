import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { demoUsers } from '../../../infra/data/demo.ts'
import { createGatewayListing } from '../../../lib/adapters/stripe/gatewayListing.ts'
import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import { switchGateway } from '../../../lib/billing/operate/switchGateway.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { invoice, type SwitchingDeps } from './switchingOrganization.ts'

const bed = useBillingStack()

/** The running stack's adapters; both gateways share its customers. */
async function switchingDeps(): Promise<SwitchingDeps> {
  const deps = await bed.stack.billing()
  const { card } = deps.gateways
  if (!card) throw new Error('The gateway `card` is composed')
  const gateways = { card, invoice: { ...card, needs: [], cards: undefined } }
  const listing = createGatewayListing(bed.stack.stripe, deps.logger)
  return { ...deps, gateways, listing, users: { find: async () => undefined } }
}

/** Releases `count` callers once all of them have arrived. */
function createBarrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return () => {
    arrived += 1
    if (arrived >= count) resolve()
    return promise
  }
}

/** A switch and a checkout that both decided on what they read, and then write at one moment, or one `lead` milliseconds earlier. */
async function race(deps: SwitchingDeps, organization: { organizationId: string; card: string }, lead: number) {
  const organizationId = organizationIdSchema.parse(organization.organizationId)
  const meet = createBarrier(2)
  const records: SwitchingDeps['records'] = {
    ...deps.records,
    async switchGateway(...args) {
      await meet()
      await wait(Math.max(0, -lead))
      return deps.records.switchGateway(...args)
    },
    async commit(change, account) {
      if (change.next.claim) {
        await meet()
        await wait(Math.max(0, lead))
      }
      return deps.records.commit(change, account)
    },
  }
  const racing = { ...deps, records }
  const purchase = {
    organizationId,
    caller: { userId: userIdSchema.parse(demoUsers.owner.id), securityRev: 0 },
    productCodes: ['base_ota'],
    paymentMethodId: organization.card,
    couponCode: undefined,
  }
  const [{ kind }, [line]] = await Promise.all([
    switchGateway(racing, { organizationId, ...invoice }),
    checkout(racing, purchase),
  ])
  const { account, slot } = await deps.records.readSlot(organizationId, 'ota')
  const bought = line?.ok ? 'bought' : (line?.error ?? '')
  return { outcome: `${kind} / ${bought}`, served: account?.gateway, state: slot.state, holder: slot.gateway }
}

it('20 switches that race 20 checkouts leave every slot at its account’s gateway: of each two at most one is done', async () => {
  const deps = await switchingDeps()
  const organizations = await Promise.all(Array.from({ length: 20 }, () => bed.stack.organizationWithCard()))
  const leads = [0, 0, 100, -100]
  const raced = await Promise.all(organizations.map((one, index) => race(deps, one, leads[index % 4] ?? 0)))
  for (const { outcome, ...found } of raced) {
    const [moved, bought] = [outcome.startsWith('done'), outcome.endsWith('bought')]
    expect(moved && bought).toBe(false)
    expect(found).toMatchObject({ served: moved ? 'invoice' : 'card', state: bought ? 'active' : 'none' })
    if (bought) expect(found.holder).toBe('card')
  }
  const outcomes = raced.map(({ outcome }) => outcome)
  process.stdout.write(`  ${outcomes.filter((outcome) => outcome.startsWith('done')).length} of 20 switched first\n`)
  expect(outcomes).toEqual(expect.arrayContaining(['done / gateway_unavailable', 'refused / bought']))
})
