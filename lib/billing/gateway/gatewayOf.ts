import type { GatewayName } from './gatewayName.ts'
import type { Gateways, PaymentGateway } from './gatewayPorts.ts'

/** An account, slot, claim or subscription; of the gateway `card` if it names none. */
type Served = { readonly gateway?: GatewayName }

/** The gateway that serves an organization, or that has a purchase: the only place that chooses one. Use cases know none by name. */
export function gatewayOf(gateways: Gateways, served: Served): PaymentGateway {
  return gateways[gatewayNameOf(served)]
}

/** The gateway's name, as stored. */
export function gatewayNameOf({ gateway = 'card' }: Served): GatewayName {
  return gateway
}
