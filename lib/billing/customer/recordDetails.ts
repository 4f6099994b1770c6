import { createHash } from 'node:crypto'
import type { OrganizationId } from '../../core/ids.ts'
import type { AuditActor } from '../../organizations/ports.ts'
import type { Address, CustomerDetails, DetailsChange } from '../gateway/gatewayPorts.ts'
import { accountEntry } from '../slot/auditOf.ts'
import type { BillingDeps } from '../slot/ports.ts'

interface ChangedDetails {
  actor: AuditActor
  asked: DetailsChange
  before: CustomerDetails
  after: CustomerDetails
}

/**
 * Writes into the audit log which billing details were changed: only the names of their members, because the values are personal. Writes
 * nothing if these details were written last. If a request finds nothing to change, because it is sent again after its answer was lost,
 * writes what the request asked for.
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

/** The members of the details, with their names in the API. */
const members = [
  { key: 'name', name: 'name' },
  { key: 'email', name: 'email' },
  { key: 'address', name: 'address' },
  { key: 'taxId', name: 'tax_id' },
] as const

function textsOf({ name, email, address, taxId }: CustomerDetails) {
  return { name, email, address: addressText(address), taxId: taxId && `${taxId.type} ${taxId.value}` }
}

/** The same text for the same address, whatever the order of its members; empty if there is no address. */
export function addressText(address: Address | null): string {
  if (address === null) return ''
  const { line1, line2, city, state, postalCode, country } = address
  return JSON.stringify([line1, line2, city, state, postalCode, country])
}
