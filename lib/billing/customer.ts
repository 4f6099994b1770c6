import { createHash } from 'node:crypto'
import { reasonOf, ServiceError } from '../core/errors.ts'
import type { OrganizationId } from '../core/ids.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import { gatewayOf } from './gatewayOf.ts'
import type { BillingAccount, BillingDeps } from './ports.ts'

type CustomerDeps = Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'logger'>

/** SHA-256 in hex: recognizes a gateway customer without keeping its id. */
export function customerDigest(customerId: string): string {
  return createHash('sha256').update(customerId).digest('hex')
}

/**
 * The organization's customer at the gateway, created on first need and bound before anything is sold to it. The first
 * writer wins and every loser uses the winner's. `unknown` where the gateway, KMS or the store is unavailable: nothing was sold.
 */
export async function customerOf(deps: CustomerDeps, account: BillingAccount): Promise<GatewayAnswer<string>> {
  try {
    return account.customer
      ? ok(await deps.cipher.decrypt(account.organizationId, account.customer.cipher))
      : await createCustomer(deps, account)
  } catch (error) {
    const { organizationId } = account
    // The store says what went wrong in an error of ours; what else is thrown here comes from KMS.
    if (error instanceof ServiceError)
      deps.logger.error('Customer not bound', { organizationId, reason: reasonOf(error) })
    else deps.logger.error('KMS call failed', { key: 'customer', organizationId, reason: reasonOf(error) })
    return { kind: 'unknown', saved: false }
  }
}

async function createCustomer(deps: CustomerDeps, account: BillingAccount): Promise<GatewayAnswer<string>> {
  const { organizationId } = account
  const key = customerKey(organizationId, account.customerRev)
  const { customers } = gatewayOf(deps, account)
  const first = await customers.createCustomer(organizationId, key)
  // A failure that is kept under the key would be repeated for a day. A second customer does no harm: only one is ever bound.
  const failedForGood = first.kind === 'unknown' && first.saved
  const created = failedForGood ? await customers.createCustomer(organizationId, `${key}:again`) : first
  if (created.kind !== 'ok') return created
  const mine = {
    cipher: await deps.cipher.encrypt(organizationId, created.value),
    digest: customerDigest(created.value),
  }
  const bound = await deps.records.bindCustomer(account, mine)
  return bound.digest === mine.digest ? created : ok(await deps.cipher.decrypt(organizationId, bound.cipher))
}

/**
 * After an error that named the customer: where the gateway itself shows it as deleted, the next purchase gets a new one, unless
 * a slot is still held. Best effort, for the `customer.deleted` event does the same.
 */
export async function forgetDeletedCustomer(
  deps: CustomerDeps,
  account: BillingAccount,
  customerId: string,
): Promise<void> {
  if (!account.customer) return
  const { organizationId } = account
  const customer = await gatewayOf(deps, account).customers.fetchCustomer(customerId)
  if (customer.kind !== 'ok' || !customer.value.deleted) {
    deps.logger.error('Customer refused but not deleted', { organizationId })
    return
  }
  try {
    const forgotten = await deps.records.unbindCustomer(organizationId, account.customer.digest)
    deps.logger.warn('Customer is gone at the gateway', { organizationId, forgotten })
  } catch {
    deps.logger.warn('Customer is gone at the gateway', { organizationId, forgotten: false })
  }
}

/** The idempotency key of an organization's customer: parallel first needs create one. */
function customerKey(organizationId: OrganizationId, customerRev: number): string {
  return `cus:${organizationId}:${customerRev}`
}

function ok(customerId: string): GatewayAnswer<string> {
  return { kind: 'ok', value: customerId, replayed: false }
}
