import type { GatewayName } from './gatewayName.ts'
import type { Gateways, PaymentGateway } from './gatewayPorts.ts'

/** An account, slot, claim or subscription. If it names no gateway, `card` serves it. */
type Served = { readonly gateway?: GatewayName }

/** The gateway that serves an organization or has a purchase. Only this function chooses a gateway: use cases know none by name. */
export function gatewayOf(gateways: Gateways, served: Served): PaymentGateway {
  return gateways[gatewayNameOf(served)]
}

/** The gateway's stored name; `card` if none is stored. */
export function gatewayNameOf({ gateway = 'card' }: Served): GatewayName {
  return gateway
}
