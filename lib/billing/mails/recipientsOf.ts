import type { Language } from '../../core/language.ts'
import type { Organizations, Profiles } from '../../organizations/ports.ts'
import { emailKey } from '../../users/emailKey.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Gateways } from '../gateway/gatewayPorts.ts'
import type { BillingAccount } from '../slot/ports.ts'

export interface RecipientDeps {
  readonly gateways: Gateways
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly profiles: Profiles
}

/** An address, and the language of its mails. */
export interface Recipient {
  readonly to: string
  readonly language: Language
}

/**
 * Who gets the mails of money of an organization: the email address in its billing details, else its owners. Mails to an owner or a billing
 * admin are in that user's language, mails to another address in an owner's.
 * @param customerId undefined if the organization has no customer
 * @throws BillingError `gateway_unavailable`, `gateway_refused`; CommonError `service_unavailable`
 */
export async function recipientsOf(
  { gateways, organizations, profiles }: RecipientDeps,
  account: BillingAccount,
  customerId: string | undefined,
  answerBy: number,
): Promise<Recipient[]> {
  const { members } = await organizations.readMembers(account.organizationId)
  const buyers = members.filter(({ role }) => role !== 'member')
  const found = await profiles.find(buyers.map(({ userId }) => userId))
  const owners = buyers.flatMap(({ userId, role }) => (role === 'owner' ? (found.get(userId) ?? []) : []))
  const language = owners.find((owner) => owner.language !== undefined)?.language ?? 'en'
  const address = customerId === undefined ? null : await billingAddress(gateways, account, customerId, answerBy)
  if (address === null) return owners.map((owner) => ({ to: owner.email, language: owner.language ?? language }))
  const user = [...found.values()].find(({ email }) => emailKey(email) === emailKey(address))
  return [{ to: address, language: user?.language ?? language }]
}

/** The email address in the billing details. A deleted customer has none. */
async function billingAddress(
  gateways: Gateways,
  account: BillingAccount,
  customerId: string,
  answerBy: number,
): Promise<string | null> {
  const details = await gatewayOf(gateways, account).customers.fetchDetails(customerId, { answerBy })
  if (details.kind === 'refused' && details.reason === 'customer_missing') return null
  return requireOk(details).email
}
