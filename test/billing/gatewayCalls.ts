import type {
  Cards,
  Catalog,
  Customers,
  Gateways,
  Invoices,
  PaymentGateway,
  Purchases,
} from '../../lib/billing/gatewayPorts.ts'

/** Every call to a gateway, whatever port it belongs to. */
export interface GatewayCalls extends Catalog, Customers, Purchases, Invoices, Cards {}

/** The gateway whose ports all are this one object: a call that is replaced in it is replaced in its port. */
export function gatewayWith(calls: GatewayCalls): PaymentGateway {
  return { needs: [], catalog: calls, customers: calls, purchases: calls, invoices: calls, cards: calls }
}

/** All calls to the gateway `card`, as one object. */
export function callsOf({ gateways }: { gateways: Gateways }): GatewayCalls {
  const { card } = gateways
  if (!card?.cards) throw new Error('A gateway that takes cards is composed')
  return { ...card.catalog, ...card.customers, ...card.purchases, ...card.invoices, ...card.cards }
}

/** The same side effects with some calls to the gateway `card` replaced. */
export function withCalls<Deps extends { gateways: Gateways }>(
  deps: Deps,
  replaced: (calls: GatewayCalls) => Partial<GatewayCalls>,
): Deps {
  const calls = callsOf(deps)
  return { ...deps, gateways: { card: gatewayWith({ ...calls, ...replaced(calls) }) } }
}
