import { hash } from 'node:crypto'
import { reasonOf, ServiceError } from '../../core/errors.ts'
import { type OrganizationId, type PrincipalId, userIdSchema } from '../../core/ids.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { CustomerRequest, Customers } from '../gateway/gatewayPorts.ts'
import type { BillingAccount, BillingDeps, BuyingDeps, CustomerBinding } from '../slot/ports.ts'

type CustomerDeps = Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'logger'>
type NewCustomerDeps = CustomerDeps & Pick<BuyingDeps, 'users'>

/** SHA-256 in hex: recognizes a gateway customer without keeping its id. */
export function customerDigest(customerId: string): string {
  return hash('sha256', customerId)
}

/** How a customer is stored: its id encrypted for the organization, and the id's digest. @throws an error of KMS */
export async function bindingOf(
  { cipher }: Pick<BillingDeps, 'cipher'>,
  organizationId: OrganizationId,
  customerId: string,
): Promise<CustomerBinding> {
  return { cipher: await cipher.encrypt(organizationId, customerId), digest: customerDigest(customerId) }
}

/** The organization's customer, after those that the gateway deleted, oldest first. */
export function everyCustomer({
  formerCustomers = [],
  customer,
}: Pick<BillingAccount, 'formerCustomers' | 'customer'>): readonly CustomerBinding[] {
  return customer ? [...formerCustomers, customer] : formerCustomers
}

/** The id of a bound customer. `unknown` if KMS is unavailable. */
export function customerOf(
  deps: Pick<CustomerDeps, 'cipher' | 'logger'>,
  organizationId: OrganizationId,
  customer: CustomerBinding,
): Promise<GatewayAnswer<string>> {
  return orUnknown(deps, organizationId, async () => ok(await deps.cipher.decrypt(organizationId, customer.cipher)))
}

/**
 * The organization's customer at the gateway. It is created when first needed, and bound before anything is sold to it. If several
 * requests create it, the first writer wins and the others use the winner's customer. `unknown` if the gateway, KMS or the store is
 * unavailable: then nothing was sold.
 * @param userId a new customer gets this user's email address, so that receipts reach a person; none if it is an API client
 */
export async function openCustomer(
  deps: NewCustomerDeps,
  account: BillingAccount,
  userId: PrincipalId,
): Promise<GatewayAnswer<string>> {
  const { organizationId, customer } = account
  if (customer) return customerOf(deps, organizationId, customer)
  return orUnknown(deps, organizationId, () => createCustomer(deps, account, userId))
}

async function orUnknown(
  { logger }: Pick<CustomerDeps, 'logger'>,
  organizationId: OrganizationId,
  open: () => Promise<GatewayAnswer<string>>,
): Promise<GatewayAnswer<string>> {
  try {
    return await open()
  } catch (error) {
    // If the store fails, it throws an error of ours. Any other error comes from KMS.
    if (error instanceof ServiceError) logger.error('Customer not bound', { organizationId, reason: reasonOf(error) })
    else logger.error('KMS call failed', { key: 'customer', organizationId, reason: reasonOf(error) })
    return { kind: 'unknown', saved: false }
  }
}

async function createCustomer(
  deps: NewCustomerDeps,
  account: BillingAccount,
  userId: PrincipalId,
): Promise<GatewayAnswer<string>> {
  const { organizationId } = account
  const frozen = await frozenRequest(deps, account, userId)
  if (frozen.kind === 'bound') return ok(await deps.cipher.decrypt(organizationId, frozen.customer.cipher))
  const created = await sendRequest(gatewayOf(deps.gateways, account).customers, account, frozen.request)
  if (created.kind !== 'ok') return created
  const mine = await bindingOf(deps, organizationId, created.value)
  const bound = await deps.records.bindCustomer(account, mine)
  return bound.digest === mine.digest ? created : ok(await deps.cipher.decrypt(organizationId, bound.cipher))
}

/**
 * What the customer is created with. Names and email addresses change, but the gateway refuses a key if its parameters differ from those
 * of its first sending. So they are stored before the key is sent, and every repetition reads them.
 */
async function frozenRequest(deps: NewCustomerDeps, account: BillingAccount, userId: PrincipalId) {
  if (account.customerRequest) return { kind: 'frozen', request: account.customerRequest } as const
  // An API client has no email address: if it buys, receipts go to the address in the billing details when that is set.
  const buyer = userIdSchema.safeParse(userId).data
  const user = buyer && (await deps.users.find(buyer))
  const { name } = account
  return deps.records.freezeCustomer(account, user?.isVerified ? { name, email: user.email } : { name })
}

/** If the gateway refuses the email address, sends the request without it, under another key. */
async function sendRequest(
  customers: Customers,
  { organizationId, customerRev }: BillingAccount,
  request: CustomerRequest,
): Promise<GatewayAnswer<string>> {
  const key = customerKey(organizationId, customerRev)
  const send = async (sent: CustomerRequest, under: string) => {
    const first = await customers.createCustomer(organizationId, sent, under)
    // If a failure is kept under the key, the gateway repeats it for a day. A second customer does no harm: only one is ever bound.
    const failedForGood = first.kind === 'unknown' && first.saved
    return failedForGood ? customers.createCustomer(organizationId, sent, `${under}:again`) : first
  }
  const created = await send(request, key)
  const withoutEmail = created.kind === 'refused' && created.reason === 'email_invalid'
  return withoutEmail ? send({ name: request.name }, `${key}:without-email`) : created
}

/**
 * Call this after an error that named the customer. If the gateway itself shows the customer as deleted, the next purchase gets a new
 * customer, unless a slot is still held. Best effort, because the `customer.deleted` event does the same.
 */
export async function forgetDeletedCustomer(
  deps: CustomerDeps,
  account: BillingAccount,
  customerId: string,
): Promise<void> {
  if (!account.customer) return
  const { organizationId } = account
  const customer = await gatewayOf(deps.gateways, account).customers.fetchCustomer(customerId)
  if (customer.kind !== 'ok' || !customer.value.deleted) {
    deps.logger.error('Customer refused but not deleted', { organizationId })
    return
  }
  try {
    const forgotten = await deps.records.unbindCustomer(organizationId, account.customer)
    deps.logger.warn('Customer is gone at the gateway', { organizationId, forgotten })
  } catch {
    deps.logger.warn('Customer is gone at the gateway', { organizationId, forgotten: false })
  }
}

/** The idempotency key of an organization's customer. When parallel requests use it, only one customer is created. */
function customerKey(organizationId: OrganizationId, customerRev: number): string {
  return `cus:${organizationId}:${customerRev}`
}

function ok(customerId: string): GatewayAnswer<string> {
  return { kind: 'ok', value: customerId, replayed: false }
}
