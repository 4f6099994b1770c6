import { BillingError } from './errors.ts'
import type { GatewayName } from './gatewayName.ts'
import type { Gateways, PaymentGateway } from './gatewayPorts.ts'

/**
 * The gateway that serves an organization, or that has a purchase: the one place where gateways are chosen. Use cases know none
 * by name.
 * @param served an account, slot, claim or subscription; `card` where it names none
 * @throws BillingError `gateway_unavailable` for one that is not composed
 */
export function gatewayOf(
  { gateways }: { readonly gateways: Gateways },
  { gateway = 'card' }: { readonly gateway?: GatewayName },
): PaymentGateway {
  const found = gateways[gateway]
  if (!found) throw new BillingError('gateway_unavailable', { message: `No gateway is composed as ${gateway}` })
  return found
}
