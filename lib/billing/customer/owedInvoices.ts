import type { OrganizationId } from '../../core/ids.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import type { OwedInvoice, PaymentGateway, ReadLimits, SentInvoices } from '../gateway/gatewayPorts.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { OVERDUE_GRACE, READ_BUDGET } from '../timing.ts'
import { customerOf, everyCustomer } from './customer.ts'

type OwingDeps = Pick<BillingDeps, 'gateways' | 'cipher' | 'clock' | 'logger'>

/** Whether a customer is behind with an invoice: more than 7 days overdue. `unknown` if the gateway did not answer. */
export type Arrears = 'none' | 'overdue' | 'unknown'

/**
 * Asks the gateway for the customer's arrears. Asks nothing if the gateway sends no invoices.
 * @param customer opens the customer when called; undefined if the organization has none
 * @param now Unix milliseconds
 */
export async function readArrears(
  { sentInvoices }: Pick<PaymentGateway, 'sentInvoices'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  now: number,
  limits: ReadLimits,
): Promise<Arrears> {
  const opened = sentInvoices && (await customer?.())
  if (!opened) return 'none'
  if (opened.kind !== 'ok') return 'unknown'
  const owed = await listOwed(sentInvoices, opened.value, limits)
  if (owed.kind !== 'ok') return 'unknown'
  return owed.value.some((invoice) => isOverdue(invoice, now)) ? 'overdue' : 'none'
}

/**
 * What an organization owes, whichever gateway serves it now, newest first, also as a customer that the gateway deleted.
 * @throws BillingError `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function listOwedInvoices(
  deps: OwingDeps & Pick<BillingDeps, 'records'>,
  organizationId: OrganizationId,
): Promise<OwedInvoice[]> {
  const account = await deps.records.readAccount(organizationId)
  return account ? (await owedBy(deps, account)).map(({ invoice }) => invoice) : []
}

/** The same for an account that was read, each invoice with the port of the gateway that sent it. */
export async function owedBy(
  deps: OwingDeps,
  account: Pick<BillingAccount, 'organizationId' | 'customer' | 'formerCustomers'>,
): Promise<{ invoice: OwedInvoice; sentBy: SentInvoices }[]> {
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  const senders = Object.values(deps.gateways).flatMap(({ sentInvoices }) => sentInvoices ?? [])
  const lists = everyCustomer(account).map(async (customer) => {
    const customerId = requireOk(await customerOf(deps, account.organizationId, customer))
    const owed = senders.map(async (sentBy) => {
      const invoices = requireOk(await listOwed(sentBy, customerId, limits))
      return invoices.map((invoice) => ({ invoice, sentBy }))
    })
    return (await Promise.all(owed)).flat()
  })
  return (await Promise.all(lists)).toReversed().flat()
}

/** A customer that is not there owes nothing. */
async function listOwed(
  sentInvoices: SentInvoices,
  customerId: string,
  limits: ReadLimits,
): Promise<GatewayAnswer<readonly OwedInvoice[]>> {
  const owed = await sentInvoices.listOwed(customerId, limits)
  const isMissing = owed.kind === 'refused' && owed.reason === 'customer_missing'
  return isMissing ? { kind: 'ok', value: [], replayed: false } : owed
}

function isOverdue({ dueAt }: OwedInvoice, now: number): boolean {
  return dueAt !== null && dueAt * 1000 + OVERDUE_GRACE < now
}
