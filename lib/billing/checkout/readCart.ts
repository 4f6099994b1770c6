import { ServiceError } from '../../core/errors.ts'
import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId, PrincipalId } from '../../core/ids.ts'
import { productsOf } from '../catalog.ts'
import { openCustomer } from '../customer/customer.ts'
import { type MissingDetails, missingDetails } from '../customer/missingDetails.ts'
import { type Arrears, readArrears } from '../customer/owedInvoices.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Catalog, Coupon, PaymentGateway, Price, ReadLimits } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingAccount, BillingDeps, BuyingDeps } from '../slot/ports.ts'
import { type Redeemer, redeemerOf } from '../slot/redeemer.ts'
import type { Slot } from '../slot/slot.ts'
import { BUDGET } from '../timing.ts'
import { type LineError, lineErrors } from './lineError.ts'

export interface CheckoutRequest {
  organizationId: OrganizationId
  caller: Principal
  productCodes: readonly string[]
  paymentMethodId: string | undefined
  couponCode: string | undefined
  expected?: ExpectedSubtotal | undefined
}

/**
 * What a buyer was shown: the sum of the list prices of the lines that can be bought, in the currency's smallest unit, before discount and
 * tax. `currency` is ISO 4217 in lower case.
 */
export interface ExpectedSubtotal {
  subtotal: number
  currency: string
}

/** Whose purchase is completed, and by when it must be settled (Unix milliseconds). */
export interface PurchaseContext {
  readonly deps: BillingDeps
  readonly account: BillingAccount
  readonly deadline: number
}

/** Who buys for which organization, at which gateway, and with what. */
export interface CheckoutContext extends PurchaseContext {
  readonly gateway: PaymentGateway
  readonly userId: PrincipalId
  readonly redeemer: Redeemer
  readonly paymentMethodId: string | undefined
  readonly couponCode: string | undefined
}

/** The record of a cart's organization, as it was read at `startedAt` (Unix milliseconds). */
export interface ReadCart {
  readonly deps: BuyingDeps
  readonly account: BillingAccount
  readonly gateway: PaymentGateway
  readonly slots: readonly Slot[]
  readonly redeemer: Redeemer
  readonly startedAt: number
}

/** The coupon of a cart: none asked for, one to try, or why no line can have it. */
type CartCoupon = { kind: 'none' } | { kind: 'found'; coupon: Coupon } | { kind: 'refused'; error: LineError }

/** What a cart is bought at. */
export interface CartOffer {
  readonly prices: GatewayAnswer<ReadonlyMap<string, Price>>
  readonly coupon: CartCoupon
  /** Which details the gateway still needs. */
  readonly details: MissingDetails
  readonly arrears: Arrears
  /** What the buyer agreed to; any price if left out. */
  readonly agreed?: Agreement
}

/** The list prices that a buyer agreed to, by product code; none if they do not add up to the expected subtotal. */
export interface Agreement {
  readonly amounts: ReadonlyMap<string, number>
  readonly currency: string
}

/** A checkout with what its cart needs. The customer is opened at most once, when it is first asked for. */
export interface Cart extends CheckoutContext, CartOffer {
  customer(): Promise<GatewayAnswer<string>>
}

/**
 * Reads the organization and the slots of a cart.
 * @returns null if the store is unavailable: that is answered for each line
 * @throws CommonError `invalid_token`, OrganizationError for a caller who may not buy here
 */
export async function readCart(deps: BuyingDeps, request: CheckoutRequest): Promise<ReadCart | null> {
  const startedAt = deps.clock.now()
  const { organizationId, caller, productCodes } = request
  const billing = await deps.records.read(organizationId, caller, productsOf(productCodes)).catch(nullUnlessRefused)
  if (billing === null) return null
  const account = authorizeBilling(billing, 'write billing')
  const redeemer = redeemerOf(caller, billing.createdBy)
  return { deps, account, gateway: gatewayOf(deps.gateways, account), slots: billing.slots, redeemer, startedAt }
}

/** An unavailable store is answered for each line. Any other refusal answers the whole request: a dead token, a throttled organization. */
function nullUnlessRefused(error: unknown): null {
  if (error instanceof ServiceError && error.code !== 'service_unavailable') throw error
  return null
}

/** Asks the gateway for what an open line needs. */
export async function readOffer(read: ReadCart, request: CheckoutRequest): Promise<Cart> {
  const { deps, account, gateway, redeemer } = read
  const { paymentMethodId, couponCode } = request
  const userId = principalIdOf(request.caller)
  const deadline = read.startedAt + BUDGET
  const customer = once(() => openCustomer(deps, account, userId))
  const known = account.customer && customer
  const limits = { answerBy: deadline }
  const [prices, coupon, details, arrears] = await Promise.all([
    gateway.catalog.prices(),
    findCartCoupon(gateway.catalog, couponCode),
    missingDetails(gateway, account, known, limits),
    readArrears(gateway, known, read.startedAt, limits),
  ])
  const buyer = { userId, redeemer, paymentMethodId, couponCode }
  return { deps, account, gateway, ...buyer, deadline, prices, coupon, details, arrears, customer }
}

function once(open: () => Promise<GatewayAnswer<string>>): () => Promise<GatewayAnswer<string>> {
  let opened: Promise<GatewayAnswer<string>> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

/** Looks a code up at the gateway. Whether this user redeemed it before is decided by the claim alone. */
export async function findCartCoupon(
  catalog: Catalog,
  code: string | undefined,
  limits?: ReadLimits,
): Promise<CartCoupon> {
  if (code === undefined) return { kind: 'none' }
  const answer = await catalog.findCoupon(code, limits)
  switch (answer.kind) {
    case 'ok':
      return { kind: 'found', coupon: answer.value }
    case 'refused':
      return { kind: 'refused', error: lineErrors[answer.reason] }
    case 'unknown':
      return { kind: 'refused', error: 'gateway_unavailable' }
  }
}
