import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { HeldSlot } from '../slot/slot.ts'
import { listAmount, priceLine } from './claimLines.ts'
import { isBoughtAnew, type LinePlan } from './planCart.ts'
import type { Cart, ExpectedSubtotal } from './readCart.ts'

/**
 * Holds a cart to the subtotal that its buyer was shown. If its prices add up to another sum, asks for them afresh, once. From then on only
 * what was agreed on is claimed. A cart that buys nothing anew stays as it is: it repeats what was agreed on before.
 */
export async function agreePrices(
  cart: Cart,
  plans: readonly LinePlan[],
  expected: ExpectedSubtotal | undefined,
): Promise<Cart> {
  if (expected === undefined || !plans.some((plan) => isBoughtAnew(plan, cart.couponCode))) return cart
  const open = await openAmounts(cart, plans)
  const { currency } = expected
  const known = agreedOn(cart, plans, open, expected)
  if (known || cart.prices.kind !== 'ok') return { ...cart, agreed: { amounts: known ?? new Map(), currency } }
  const fresh = { ...cart, prices: await cart.gateway.catalog.prices({ fresh: true }) }
  return { ...fresh, agreed: { amounts: agreedOn(fresh, plans, open, expected) ?? new Map(), currency } }
}

/** The amounts of the open invoices that the cart would pay, by product code. An amount that the gateway does not say agrees with nothing. */
async function openAmounts(cart: Cart, plans: readonly LinePlan[]): Promise<ReadonlyMap<string, number>> {
  const amountOf = async (slot: HeldSlot): Promise<number> => {
    const { subscription } = slot
    const { purchases } = gatewayOf(cart.deps.gateways, slot)
    const open = subscription && (await purchases.previewOpenPayment(subscription.id, { answerBy: cart.deadline }))
    return open?.kind === 'ok' ? (open.value.amounts?.amount ?? Number.NaN) : Number.NaN
  }
  const unpaid = plans.flatMap((plan) =>
    plan.kind === 'pay_incomplete' && !isBoughtAnew(plan, cart.couponCode) ? [plan] : [],
  )
  return new Map(await Promise.all(unpaid.map(async ({ code, slot }) => [code, await amountOf(slot)] as const)))
}

/**
 * The amounts by product code, if they add up to what is expected. A coupon is for a single line, the first that can use it. A buyer who
 * repeats a request was shown the lines that are under way by now as well.
 */
function agreedOn(
  cart: Cart,
  plans: readonly LinePlan[],
  open: ReadonlyMap<string, number>,
  { subtotal, currency }: ExpectedSubtotal,
): ReadonlyMap<string, number> | undefined {
  const priced = (isAsked: (plan: LinePlan) => boolean) =>
    plans.flatMap((plan) => {
      if (plan.kind === 'answered' || !isAsked(plan)) return []
      const line = priceLine(cart, plan.slot)
      const isListed = line.kind === 'priced' && line.price.currency === currency
      return isListed ? [[plan.code, listAmount(line.price)] as const] : []
    })
  const anew = priced((plan) => isBoughtAnew(plan, cart.couponCode))
  const claims = anew.slice(0, cart.coupon.kind === 'found' ? 1 : undefined)
  const underWay = priced(({ kind }) => kind === 'take_over')
  const shown = [new Map([...open, ...claims]), new Map([...open, ...claims, ...underWay])]
  return shown.find((amounts) => [...amounts.values()].reduce((sum, amount) => sum + amount, 0) === subtotal)
}
