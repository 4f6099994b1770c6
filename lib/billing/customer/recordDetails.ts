import { createHash } from 'node:crypto'
import type { OrganizationId } from '../../core/ids.ts'
import type { AuditActor } from '../../organizations/ports.ts'
import type { CustomerDetails, DetailsChange } from '../gateway/gatewayPorts.ts'
import { accountEntry } from '../slot/accountEntry.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { addressText } from './addressText.ts'

interface ChangedDetails {
  actor: AuditActor
  /** What was asked for. */
  asked: DetailsChange
  before: CustomerDetails
  after: CustomerDetails
}

/**
 * Writes into the audit log which billing details were changed, by the names of their members: they are personal. Nothing where these
 * details were written last. Of a request that is sent again after its answer was lost, which finds nothing to change, what it asked for.
 * @throws CommonError `service_unavailable`
 */
export async function recordDetails(
  { records, clock }: Pick<BillingDeps, 'records' | 'clock'>,
  organizationId: OrganizationId,
  { actor, asked, before, after }: ChangedDetails,
): Promise<void> {
  const [old, now] = [textsOf(before), textsOf(after)]
  const named = members.filter(({ key }) => asked[key] !== undefined)
  if (named.length === 0) return
  const differing = named.filter(({ key }) => old[key] !== now[key])
  const changed = (differing.length > 0 ? differing : named).map(({ name }) => name)
  const value = createHash('sha256')
    .update(JSON.stringify([organizationId, ...Object.values(now)]))
    .digest('hex')
  const done = { action: 'details.changed', actor, target: organizationId, detail: { changed } } as const
  await records.recordAccountChange(
    organizationId,
    { of: 'details', value },
    accountEntry(organizationId, done, clock.now()),
  )
}

/** The members of the details, by the names that the API has for them. */
const members = [
  { key: 'name', name: 'name' },
  { key: 'email', name: 'email' },
  { key: 'address', name: 'address' },
  { key: 'taxId', name: 'tax_id' },
] as const

function textsOf({ name, email, address, taxId }: CustomerDetails) {
  return { name, email, address: addressText(address), taxId: taxId && `${taxId.type} ${taxId.value}` }
}
