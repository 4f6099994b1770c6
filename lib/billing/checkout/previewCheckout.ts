import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { planCodes, products, productsOf } from '../catalog.ts'
import { customerOf } from '../customer/customer.ts'
import { missingDetails } from '../customer/missingDetails.ts'
import { readArrears } from '../customer/owedInvoices.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Price } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { redeemerOf } from '../slot/redeemer.ts'
import { READ_BUDGET } from '../timing.ts'
import { refused } from './cartLine.ts'
import { planLines, refuseAll } from './planCart.ts'
import { type PreviewLine, previewLines } from './previewLine.ts'
import { findCartCoupon } from './readCart.ts'

type PreviewDeps = Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'clock' | 'logger'>

interface PreviewRequest {
  organizationId: OrganizationId
  caller: Principal
  productCodes: readonly string[]
  couponCode: string | undefined
}

/**
 * What a cart would be charged at once, in the currency's smallest unit. `total` and `subtotal` are of the lines that would be bought;
 * `subtotal` is the sum of their list prices, before discount and before tax on top of them.
 */
interface CheckoutPreview {
  lines: PreviewLine[]
  subtotal: number
  total: number
  currency: string
}

/**
 * What `checkout` would charge for this cart now, and which of its lines it would refuse: decided by the same plans, prices, coupon and
 * frozen parameters. Every payment is taken to succeed, and no card is asked for. Nothing is written, reserved or created.
 * @throws OrganizationError for a caller who may not buy here; BillingError `gateway_refused`, or `gateway_unavailable` if any line is not known
 */
export async function previewCheckout(deps: PreviewDeps, request: PreviewRequest): Promise<CheckoutPreview> {
  const { organizationId, caller, couponCode } = request
  const startedAt = deps.clock.now()
  const limits = { answerBy: startedAt + READ_BUDGET }
  const billing = await deps.records.read(organizationId, caller, productsOf(request.productCodes))
  const account = authorizeBilling(billing, 'write billing')
  const plans = account.isBeingDeleted
    ? refuseAll(request.productCodes, 'organization_deleting')
    : planLines(request.productCodes, billing.slots, startedAt)
  const gateway = gatewayOf(deps.gateways, account)
  const { catalog } = gateway
  const open = plans.some(({ kind }) => kind !== 'answered')
  const known = open && account.customer ? customerOf(deps, organizationId, account.customer) : null
  const opened = known ? () => known : undefined
  const [prices, coupon, customer, details, arrears] = await Promise.all([
    catalog.prices({ ...limits, fresh: true }),
    findCartCoupon(catalog, open ? couponCode : undefined, limits),
    known,
    missingDetails(gateway, account, opened, limits),
    readArrears(gateway, opened, startedAt, limits),
  ])
  const buyer = { userId: principalIdOf(caller), redeemer: redeemerOf(caller, billing.createdBy), couponCode }
  const context = { deps, account, gateway, ...buyer, limits }
  const lines =
    customer?.kind === 'unknown'
      ? request.productCodes.map((code) => refused(code, 'gateway_unavailable'))
      : await previewLines(
          { ...context, prices, coupon, details, arrears, customerId: customer && requireOk(customer) },
          plans,
        )
  return summed(inOneCurrency(lines), requireOk(prices))
}

/** The gateway bills a customer in one currency. If the customer is new, the first line decides which. */
function inOneCurrency(lines: PreviewLine[]): PreviewLine[] {
  const [first] = lines.filter((line) => line.ok)
  return lines.map((line) =>
    line.ok && line.currency !== first?.currency ? refused(line.productCode, 'currency_mismatch') : line,
  )
}

function summed(lines: PreviewLine[], prices: ReadonlyMap<string, Price>): CheckoutPreview {
  if (lines.some((line) => !line.ok && line.error === 'gateway_unavailable')) {
    throw new BillingError('gateway_unavailable')
  }
  const charged = lines.filter((line) => line.ok)
  const listed = products.flatMap((product) => prices.get(planCodes[product]) ?? [])
  // Where nothing would be bought, the currency that prices are listed in.
  const [first] = [...charged, ...listed]
  if (!first) throw new BillingError('gateway_refused', { message: 'The gateway has no active price' })
  const total = charged.reduce((sum, line) => sum + line.total, 0)
  const subtotal = charged.reduce((sum, line) => sum + line.listed, 0)
  return { lines, subtotal, total, currency: first.currency }
}
