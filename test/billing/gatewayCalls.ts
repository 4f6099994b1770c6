import type {
  Cards,
  Catalog,
  Customers,
  Gateways,
  Invoices,
  PaymentGateway,
  Purchases,
  SentInvoices,
} from '../../lib/billing/gateway/gatewayPorts.ts'

/** Every call to a gateway, whatever port it belongs to. */
export interface GatewayCalls extends Catalog, Customers, Purchases, Invoices, SentInvoices, Cards {}

/** The gateway whose ports all are this one object: a call that is replaced in it is replaced in its port. */
export function gatewayWith(calls: GatewayCalls): PaymentGateway {
  const ports = { catalog: calls, customers: calls, purchases: calls, invoices: calls, cards: calls }
  return { needs: [], ...ports, sentInvoices: undefined }
}

/** All calls to the gateway `card`, as one object. */
export function callsOf({ gateways }: { gateways: Pick<Gateways, 'card'> }): GatewayCalls {
  return allCalls(gateways.card)
}

/** All calls to a gateway, as one object: those about cards throw where it takes none, those about sent invoices where it sends none. */
export function allCalls(gateway: PaymentGateway): GatewayCalls {
  const { catalog, customers, purchases, invoices, cards = noCards, sentInvoices = noSentInvoices } = gateway
  return { ...catalog, ...customers, ...purchases, ...invoices, ...sentInvoices, ...cards }
}

/** The same gateway with other calls, which takes cards and sends invoices where it did. */
export function gatewayLike(
  { needs, cards, sentInvoices }: Pick<PaymentGateway, 'needs' | 'cards' | 'sentInvoices'>,
  calls: GatewayCalls,
) {
  return { ...gatewayWith(calls), needs, cards: cards && calls, sentInvoices: sentInvoices && calls }
}

/** The same side effects with some calls to every gateway replaced. */
export function withCalls<Deps extends { gateways: Gateways }>(
  deps: Deps,
  replaced: (calls: GatewayCalls) => Partial<GatewayCalls>,
): Deps {
  const replacedIn = (gateway: PaymentGateway) => {
    const calls = allCalls(gateway)
    return gatewayLike(gateway, { ...calls, ...replaced(calls) })
  }
  const { card, invoice } = deps.gateways
  return {
    ...deps,
    gateways: { card: replacedIn(card), invoice: replacedIn(invoice) },
  }
}

const none = (): never => {
  throw new Error('The gateway takes no cards')
}
const noInvoices = (): never => {
  throw new Error('The gateway sends no invoices')
}
const noSentInvoices: SentInvoices = { listOwed: noInvoices, writeOff: noInvoices }
const noCards: Cards = {
  createSetupIntent: none,
  listCards: none,
  fetchCard: none,
  fetchDefaultCard: none,
  setDefaultCard: none,
  listPaidCards: none,
  removeCard: none,
}
