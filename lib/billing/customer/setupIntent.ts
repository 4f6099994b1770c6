import { createHash } from 'node:crypto'
import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { authorizeBilling, requireNotDeleting } from '../slot/authorizeBilling.ts'
import type { BuyingDeps } from '../slot/ports.ts'
import { forgetDeletedCustomer, openCustomer } from './customer.ts'

/**
 * The client secret of a new SetupIntent on the organization's customer, which is created when first needed. The secret is neither stored
 * nor logged. If a request repeats its `idempotencyKey` within 24 h, the gateway answers with the same secret.
 * @throws OrganizationError if the caller may not add cards; BillingError `card_not_accepted`, `gateway_refused` or `gateway_unavailable`
 */
export async function createSetupIntent(
  deps: BuyingDeps,
  request: { organizationId: OrganizationId; caller: Principal; idempotencyKey?: string | undefined },
): Promise<string> {
  const billing = await deps.records.read(request.organizationId, request.caller, [])
  const account = requireNotDeleting(authorizeBilling(billing, 'write billing'))
  const { cards } = gatewayOf(deps.gateways, account)
  if (!cards) throw new BillingError('card_not_accepted')
  const by = principalIdOf(request.caller)
  const customerId = requireOk(await openCustomer(deps, account, by))
  const key = request.idempotencyKey && gatewayKey(request, request.idempotencyKey, customerId)
  const setup = { organizationId: account.organizationId, by }
  const first = await cards.createSetupIntent(customerId, setup, key)
  // If a failure is kept under the key, the gateway repeats it for a day.
  const failedForGood = key && first.kind === 'unknown' && first.saved
  const secret = failedForGood ? await cards.createSetupIntent(customerId, setup, `${key}:again`) : first
  if (secret.kind === 'refused' && secret.reason === 'customer_missing')
    await forgetDeletedCustomer(deps, account, customerId)
  return requireOk(secret)
}

/** The key at the gateway, unique to organization, customer, user and their key. If the customer is new, so is the request. */
function gatewayKey(
  { organizationId, caller }: { organizationId: string; caller: Principal },
  key: string,
  customerId: string,
) {
  const digest = createHash('sha256')
    .update(`${customerId} ${principalIdOf(caller)} ${key}`)
    .digest('hex')
  return `seti:${organizationId}:${digest}`
}
