import { createSetupIntent } from '../../../../lib/billing/customer/setupIntent.ts'
import { caller, organizationId } from '../../../billing/fixtures.ts'
import type { Healer } from '../healers.ts'
import type { Operation, World } from '../world.ts'
import { boughtBefore, buying, customerOf, failing, mustBuy, secondCaller, sending } from './storiesGround.ts'
import { attach, cardsOf, defaultOf, notDefault } from './storiesOfSelfService.ts'
import type { StoryPlan } from './story.ts'

const settingUp: Operation<string> = (deps) => createSetupIntent(deps, { organizationId, caller })
const settingUpByAnother: Operation<string> = (deps) =>
  createSetupIntent(deps, { organizationId, caller: secondCaller })

/** The organization's customer at the gateway and its cards: set up, made the default, forgotten. */
export const storiesOfCustomers: readonly StoryPlan[] = [
  {
    name: 'setup intent of a first buyer',
    prepare: async () => settingUp,
    // Who has another address.
    meanwhile: settingUpByAnother,
  },
  { name: 'setup intent of a returning buyer', card: 'pm_card_visa', aboutCards: true, prepare: async () => settingUp },
  {
    name: 'webhook of the first card set up',
    async prepare(world) {
      const id = await beginSetUp(world)
      await world.deliverWebhooks()
      await world.stripe.sdk.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })
      return 'webhooks'
    },
    atRest(world) {
      const { customers } = world.stripe.core.control.state()
      const own = customers.find(({ id }) => id === customerOf(world))
      return own?.invoice_settings.default_payment_method ? [] : ['the first card set up is not the default']
    },
  },
  {
    name: 'webhook of the first card set up beside a subscription',
    async prepare(world) {
      const id = await beginSetUp(world)
      await attach(world, 'pm_card_mastercard')
      await mustBuy(world, buying({ paymentMethodId: await attach(world, 'pm_card_visa') }))
      await world.deliverWebhooks()
      await world.stripe.sdk.customers.update(customerOf(world), { invoice_settings: { default_payment_method: '' } })
      await world.stripe.sdk.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })
      return 'webhooks'
    },
    atRest: choiceLost,
  },
  {
    name: 'webhooks of the first payment beside a card that never paid',
    async prepare(world) {
      const id = await beginSetUp(world)
      await world.deliverWebhooks()
      await world.stripe.sdk.setupIntents.confirm(id, { payment_method: 'pm_card_chargeCustomerFail' })
      await world.deliverWebhooks()
      await mustBuy(world, buying({ paymentMethodId: await attach(world, 'pm_card_visa') }))
      return 'webhooks'
    },
    atRest: (world, healer) => [...choiceLost(world, healer), ...neverPaid(world)],
  },
  deletionAfter('webhook of a deleted customer who holds no slot', (world) => world.deliverWebhooks()),
  deletionAfter('webhooks of a deleted customer with a live subscription', boughtBefore),
  {
    ...deletionAfter('webhook of a deleted customer with a purchase that was never sent', async (world) => {
      await world.deliverWebhooks()
      await failing(world, buying({ couponCode: 'half' }), [sending('crash before')])
    }),
    meanwhile: buying({ couponCode: 'half' }),
    // The event is refused while the slot is held, and a purchase that may have been sent is not refused by the first answer.
    repeats: 3,
  },
]

/** A story of the webhooks of a customer that is deleted after this. */
function deletionAfter(name: string, before: (world: World) => Promise<unknown>): StoryPlan {
  return {
    name,
    card: 'pm_card_visa',
    async prepare(world) {
      await before(world)
      await world.stripe.sdk.customers.del(customerOf(world))
      return 'webhooks'
    },
    atRest: notForgotten,
  }
}

/** The id of a new SetupIntent of the organization's customer. */
async function beginSetUp(world: World): Promise<string> {
  const ending = await world.run(settingUp)
  if (ending.kind !== 'answered') throw new Error('No card can be set up')
  return ending.value.split('_secret_')[0] ?? ''
}

/** The default is a card that has paid, unless a user chose another. */
function neverPaid(world: World): string[] {
  const { customers, charges } = world.stripe.core.control.state()
  const chosen = customers.find(({ id }) => id === customerOf(world))?.metadata.chosen_card
  const card = defaultOf(world) ?? null
  const hasPaid = charges.some(({ paid, payment_method: method }) => paid && method === card)
  return hasPaid || card === chosen ? [] : [`${card} is the default, and has never paid`]
}

/** Whether a fault hit a call. */
const isDisturbed = ({ trace }: World) => trace.some((line) => /^\+\S+ s \d+\/\S+#\d+: /.test(line))

/**
 * What a user chose is the default, and pays for everything. If a request failed on the way and nothing was sent again, it
 * may have moved nothing but the default.
 */
function choiceLost(world: World, healer: Healer | undefined): string[] {
  const { customers } = world.stripe.core.control.state()
  const chosen = customers.find(({ id }) => id === customerOf(world))?.metadata.chosen_card
  if (chosen === undefined || !cardsOf(world).includes(chosen)) return []
  if (chosen === defaultOf(world)) return healer === undefined && isDisturbed(world) ? [] : notDefault(world)
  return [`${chosen} was chosen, and ${defaultOf(world)} is the default`]
}

/** A customer that is gone is forgotten, so that the next purchase gets a new one. */
function notForgotten(world: World): string[] {
  const account = world.records.save().accounts.find((own) => own.organizationId === organizationId)
  return account?.customerRev === 1 ? [] : ['the deleted customer is still bound']
}
