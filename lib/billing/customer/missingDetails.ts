import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { Address, CustomerDetails, PaymentGateway, ReadLimits } from '../gateway/gatewayPorts.ts'
import type { BillingAccount } from '../slot/ports.ts'
import { hasPostalCodes } from './countries.ts'

/** Paths in the API's billing details. `address` alone: the gateway cannot use an address that has every part. */
export const detailPaths = [
  'name',
  'email',
  'address',
  'address.line1',
  'address.city',
  'address.country',
  'address.postal_code',
] as const
export type DetailPath = (typeof detailPaths)[number]

/** The details that the gateway needs before it sells anything, and does not know; `unknown` if it did not answer. */
export type MissingDetails = readonly DetailPath[] | 'unknown'

type Needs = PaymentGateway['needs']

/**
 * Asks the gateway which details it still needs to know of a customer. Asks nothing if it needs nothing. If a detail is deleted between this
 * and a purchase, the gateway itself refuses the purchase.
 * @param account an organization without a customer has given no details yet: its customer will have its name
 * @param customer opens the customer when called; undefined if the organization has none
 */
export async function missingDetails(
  { needs, customers }: Pick<PaymentGateway, 'needs' | 'customers'>,
  { name }: Pick<BillingAccount, 'name'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  limits: ReadLimits,
): Promise<MissingDetails> {
  if (needs.length === 0) return []
  const none = missingIn(needs, { name, email: null, address: null })
  const opened = await customer?.()
  if (!opened) return none
  if (opened.kind !== 'ok') return 'unknown'
  const fetched = await customers.fetchDetails(opened.value, limits)
  if (fetched.kind === 'refused' && fetched.reason === 'customer_missing') return none
  return fetched.kind === 'ok' ? missingIn(needs, fetched.value) : 'unknown'
}

/** Which of the needed details are missing. Spaces alone count as missing. */
export function missingIn(needs: Needs, details: Pick<CustomerDetails, Needs[number]>): DetailPath[] {
  return needs.flatMap((need) => {
    if (need === 'address') return missingInAddress(details.address)
    return isBlank(details[need]) ? [need] : []
  })
}

/** Without a country a postal code is needed too: who gives all that is missing is never asked for more. */
function missingInAddress(address: Pick<Address, 'line1' | 'city' | 'country' | 'postalCode'> | null): DetailPath[] {
  const needed: [DetailPath, string | null | undefined][] = [
    ['address.line1', address?.line1],
    ['address.city', address?.city],
    ['address.country', address?.country],
  ]
  if (hasPostalCodes(address?.country ?? '')) needed.push(['address.postal_code', address?.postalCode])
  return needed.flatMap(([path, text]) => (isBlank(text) ? [path] : []))
}

function isBlank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === ''
}
