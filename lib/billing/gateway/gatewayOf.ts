import { BillingError } from '../errors.ts'
import type { GatewayName } from './gatewayName.ts'
import type { Gateways, PaymentGateway } from './gatewayPorts.ts'

type Composed = { readonly gateways: Gateways }

/** An account, slot, claim or subscription; of the gateway `card` where it names none. */
type Served = { readonly gateway?: GatewayName }

/**
 * The gateway that serves an organization, or that has a purchase: the one place where gateways are chosen. Use cases know none
 * by name.
 * @throws BillingError `gateway_unavailable` for one that is not composed
 */
export function gatewayOf(deps: Composed, served: Served): PaymentGateway {
  const found = deps.gateways[gatewayNameOf(served)]
  if (!found)
    throw new BillingError('gateway_unavailable', { message: `No gateway is composed as ${gatewayNameOf(served)}` })
  return found
}

/** Whether a gateway is composed for it: where not, what it bought earlier is left as it is. */
export function hasGateway(deps: Composed, served: Served): boolean {
  return deps.gateways[gatewayNameOf(served)] !== undefined
}

/** The gateway's name, as stored. */
export function gatewayNameOf({ gateway = 'card' }: Served): GatewayName {
  return gateway
}
