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
 * The client secret of a new SetupIntent on the organization's customer, who is created on first need. It is neither
 * stored nor logged: a request with the same `idempotencyKey` has the same secret for 24 h because the gateway answers so.
 * @throws OrganizationError for a caller who may not; BillingError `card_not_accepted`, `gateway_refused` or `gateway_unavailable`
 */
export async function createSetupIntent(
  deps: BuyingDeps,
  request: { organizationId: OrganizationId; caller: Principal; idempotencyKey?: string | undefined },
): Promise<string> {
  const billing = await deps.records.read(request.organizationId, request.caller, [])
  const account = requireNotDeleting(authorizeBilling(billing, 'write billing'))
  const { cards } = gatewayOf(deps.gateways, account)
  if (!cards) throw new BillingError('card_not_accepted')
  const customerId = requireOk(await openCustomer(deps, account, principalIdOf(request.caller)))
  const key = request.idempotencyKey && gatewayKey(request, request.idempotencyKey, customerId)
  const first = await cards.createSetupIntent(customerId, account.organizationId, key)
  // A failure that is kept under the key would be repeated for a day.
  const failedForGood = key && first.kind === 'unknown' && first.saved
  const secret = failedForGood
    ? await cards.createSetupIntent(customerId, account.organizationId, `${key}:again`)
    : first
  if (secret.kind === 'refused' && secret.reason === 'customer_missing')
    await forgetDeletedCustomer(deps, account, customerId)
  return requireOk(secret)
}

/** The key at the gateway, unique to organization, customer, user and their key: a new customer is another request. */
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
