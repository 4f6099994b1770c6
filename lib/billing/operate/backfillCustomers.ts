import type { OrganizationId } from '../../core/ids.ts'
import type { Organizations } from '../../organizations/ports.ts'
import type { Users } from '../../users/ports.ts'
import { customerDigest } from '../customer/customer.ts'
import { recordDetails } from '../customer/recordDetails.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { DetailsChange, GatewayListing, ListedCustomer } from '../gateway/gatewayPorts.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

export interface BackfillDeps extends Pick<BillingDeps, 'records' | 'gateways' | 'clock'> {
  readonly listing: GatewayListing
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly users: Pick<Users, 'find'>
}

/** A customer that lacked something. If `organization` is null, no organization has the customer, and we do not write to it. */
export interface Backfilled {
  organization: OrganizationId | null
  outcome: 'completed' | 'would be completed' | 'not bound' | 'no verified owner' | 'refused' | 'failed'
  added: readonly string[]
}

/**
 * If a customer at the gateway lacks a name or an email, writes the name of its organization and the verified email of the organization's
 * first owner, in the order of ids. Fetches each customer right before it writes, and never overwrites a value. The audit log names an
 * operator as the actor. Safe to repeat, and to stop.
 * Yields once per page of the gateway's list: the customers on it that lacked something.
 * @throws BillingError `gateway_unavailable` or `gateway_refused` if the list cannot be read, CommonError `service_unavailable`
 */
export async function* backfillCustomers(
  deps: BackfillDeps,
  options: { dryRun: boolean },
): AsyncGenerator<Backfilled[], void> {
  let cursor: string | undefined
  do {
    const { rows, next } = requireOk(await deps.listing.listCustomers(cursor))
    const page: Backfilled[] = []
    for (const row of rows) {
      if (!(row.hasName && row.hasEmail)) page.push(await backfillCustomer(deps, row, options))
    }
    yield page
    cursor = next
  } while (cursor !== undefined)
}

async function backfillCustomer(
  deps: BackfillDeps,
  { id, hasEmail }: ListedCustomer,
  { dryRun }: { dryRun: boolean },
): Promise<Backfilled> {
  const account = await boundAccount(deps, id)
  if (!account) return { organization: null, outcome: 'not bound', added: [] }
  const organization = account.organizationId
  const email = hasEmail ? undefined : await ownerEmail(deps, organization)
  const limits = { answerBy: deps.clock.now() + 3 * READ_BUDGET }
  const { customers } = gatewayOf(deps.gateways, account)
  const details = await customers.fetchDetails(id, limits)
  if (details.kind !== 'ok') return { organization, outcome: 'failed', added: [] }
  const change: DetailsChange = {
    ...(!details.value.name && { name: account.name }),
    ...(!details.value.email && email !== undefined && { email }),
  }
  const added = Object.keys(change)
  const isComplete = Boolean(details.value.email) || email !== undefined
  const done = isComplete ? (dryRun ? 'would be completed' : 'completed') : 'no verified owner'
  if (dryRun || added.length === 0) return { organization, outcome: done, added }
  const changed = await customers.changeDetails(id, change, limits)
  if (changed.kind !== 'ok') return { organization, outcome: 'failed', added: [] }
  if (changed.value.kind === 'refused_at') return { organization, outcome: 'refused', added: [] }
  const actor = { type: 'operator', id: null } as const
  const [before, after] = [details.value, changed.value.details]
  await recordDetails(deps, organization, { actor, asked: change, before, after })
  return { organization, outcome: done, added }
}

/** The account that a customer is bound to. Compares digests, because anybody may edit metadata in the Dashboard. */
async function boundAccount({ records }: BackfillDeps, customerId: string): Promise<BillingAccount | undefined> {
  const digest = customerDigest(customerId)
  for (const organizationId of await records.findOrganizations(digest)) {
    const account = await records.readAccount(organizationId)
    if (account?.customer?.digest === digest) return account
  }
  return undefined
}

async function ownerEmail(
  { organizations, users }: BackfillDeps,
  organizationId: OrganizationId,
): Promise<string | undefined> {
  const { members } = await organizations.readMembers(organizationId)
  for (const { userId, role } of members) {
    const user = role === 'owner' ? await users.find(userId) : undefined
    if (user?.isVerified) return user.email
  }
  return undefined
}
