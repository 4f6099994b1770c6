import { type AnyCaller, type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { CustomerDetails, DetailsChange, DetailsField, ReadLimits } from '../gateway/gatewayPorts.ts'
import { byPrincipal } from '../slot/auditOf.ts'
import { authorizeBilling, requireNotDeleting } from '../slot/authorizeBilling.ts'
import type { BillingAccount, BillingDeps, BuyingDeps } from '../slot/ports.ts'
import { BUDGET, READ_BUDGET } from '../timing.ts'
import { customerOf, forgetDeletedCustomer, openCustomer } from './customer.ts'
import { missingIn } from './missingDetails.ts'
import { owedBy } from './owedInvoices.ts'
import { addressText, recordDetails } from './recordDetails.ts'

/** The billing details of an organization, as its gateway has them. */
export interface BillingDetails extends CustomerDetails {
  gateway: GatewayName
  currency: string
}

interface DetailsRequest {
  organizationId: OrganizationId
  caller: Principal
}

/**
 * The billing details, fetched from the gateway. If the organization has no customer, they are its name alone: reading creates no customer.
 * @throws OrganizationError if the caller may not see them; BillingError `gateway_refused` or `gateway_unavailable`
 */
export async function readDetails(
  deps: BillingDeps,
  request: Pick<DetailsRequest, 'organizationId'> & { caller: AnyCaller },
): Promise<BillingDetails> {
  const account = authorizeBilling(await deps.records.read(request.organizationId, request.caller, []), 'write billing')
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  return (await fetchDetails(deps, account, limits)).details
}

/**
 * Changes the billing details at the gateway, which keeps them. Creates a customer if the organization has none. Sends only what differs,
 * and the tax id if it is given. The audit log says what was changed, even if this request only repeats an earlier request.
 * @param request.precondition throws if the details are not those that the caller has seen. It compares them right before the change is
 * sent; another change may still come between, because the gateway has no conditional write
 * @returns the details after the change, or the part of it that the gateway refuses: then nothing was changed
 * @throws as `readDetails`, BillingError `details_in_use` if an open invoice needs what would be removed, and CommonError `service_unavailable`. If it throws that or `gateway_unavailable`, a part may be changed, and the
 * request is safe to send again
 */
export async function changeDetails(
  deps: BuyingDeps,
  request: DetailsRequest & { change: DetailsChange; precondition?: ((details: BillingDetails) => void) | undefined },
): Promise<{ kind: 'changed'; details: BillingDetails } | { kind: 'refused_at'; field: DetailsField }> {
  const billing = await deps.records.read(request.organizationId, request.caller, [])
  const account = requireNotDeleting(authorizeBilling(billing, 'write billing'))
  const limits = { answerBy: deps.clock.now() + BUDGET }
  const before = await fetchDetails(deps, account, limits)
  request.precondition?.(before.details)
  if (before.isDeleted) {
    await forgetDeletedCustomer(deps, account, before.customerId)
    throw new BillingError('gateway_refused')
  }
  const { customerId } = before
  const change = customerId === undefined ? request.change : differing(before.details, request.change)
  const actor = byPrincipal(principalIdOf(request.caller))
  const record = (after: CustomerDetails) =>
    recordDetails(deps, account.organizationId, { actor, asked: request.change, before: before.details, after })
  if (Object.keys(change).length === 0) {
    await record(before.details)
    return { kind: 'changed', details: before.details }
  }
  await requireUnneeded(deps, account, before.details, change)
  const customer = customerId ?? requireOk(await openCustomer(deps, account, principalIdOf(request.caller)))
  const changed = requireOk(await gatewayOf(deps.gateways, account).customers.changeDetails(customer, change, limits))
  if (changed.kind === 'refused_at') return changed
  await record(changed.details)
  return { kind: 'changed', details: await complete(deps, account, changed.details, limits) }
}

/** An invoice that was sent needs its customer's details until it is paid, whichever gateway serves the organization now. */
async function requireUnneeded(
  deps: BillingDeps,
  account: BillingAccount,
  before: CustomerDetails,
  change: DetailsChange,
): Promise<void> {
  const needs = Object.values(deps.gateways).flatMap((gateway) => (gateway.sentInvoices ? gateway.needs : []))
  const missed = missingIn(needs, before)
  const isRemoved = missingIn(needs, { ...before, ...change }).some((path) => !missed.includes(path))
  const { formerCustomers: _deleted, ...current } = account
  if (isRemoved && (await owedBy(deps, current)).length > 0) throw new BillingError('details_in_use')
}

type FetchedDetails = { details: BillingDetails } & (
  | { isDeleted: false; customerId: string | undefined }
  | { isDeleted: true; customerId: string }
)

async function fetchDetails(deps: BillingDeps, account: BillingAccount, limits: ReadLimits): Promise<FetchedDetails> {
  const none = { name: account.name, email: null, address: null, taxId: null, currency: null }
  if (!account.customer) {
    return { details: await complete(deps, account, none, limits), isDeleted: false, customerId: undefined }
  }
  const customerId = requireOk(await customerOf(deps, account.organizationId, account.customer))
  const fetched = await gatewayOf(deps.gateways, account).customers.fetchDetails(customerId, limits)
  const isDeleted = fetched.kind === 'refused' && fetched.reason === 'customer_missing'
  const details = await complete(deps, account, isDeleted ? none : requireOk(fetched), limits)
  return { details, isDeleted, customerId }
}

/** If a customer was not billed yet, the currency is the catalog's: the customer will be billed in that. */
async function complete(
  deps: BillingDeps,
  account: BillingAccount,
  details: CustomerDetails,
  limits: ReadLimits,
): Promise<BillingDetails> {
  const { gateway } = account
  if (details.currency !== null) return { ...details, gateway, currency: details.currency }
  const prices = requireOk(await gatewayOf(deps.gateways, account).catalog.prices(limits))
  const [price] = prices.values()
  if (!price) throw new BillingError('gateway_refused', { message: 'No price has a currency' })
  return { ...details, gateway, currency: price.currency }
}

function differing(before: CustomerDetails, { name, email, address, taxId }: DetailsChange): DetailsChange {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(email !== undefined && email !== before.email && { email }),
    ...(address !== undefined && addressText(address) !== addressText(before.address) && { address }),
    // Sent even if it is the same: a request that ended early may have left an older tax id beside the newest.
    ...(taxId !== undefined && { taxId }),
  }
}
