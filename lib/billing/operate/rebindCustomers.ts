import type { OrganizationId } from '../../core/ids.ts'
import { customerDigest, everyCustomer } from '../customer/customer.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import type { GatewayListing, Page } from '../gateway/gatewayPorts.ts'
import type { BillingAccount, BillingDeps, CustomerBinding, CustomerBindings } from '../slot/ports.ts'

export interface RebindDeps extends Pick<BillingDeps, 'records' | 'cipher' | 'logger'> {
  readonly bindings: CustomerBindings
  readonly listing: Pick<GatewayListing, 'listCustomers' | 'listSubscriptions'>
}

/**
 * A customer whose id the key does not decrypt, current or former. `not found`: the gateway lists no customer with this digest. `not confirmed`: its
 * metadata name other customers for the organization, and none has the digest.
 */
export interface ReboundCustomer {
  readonly organization: OrganizationId
  readonly customer: 'current' | 'former'
  readonly outcome: 'bound anew' | 'would be bound anew' | 'changed meanwhile' | 'not found' | 'not confirmed'
}

/** What came of it. `readable` customers needed nothing. */
export type Rebound =
  | { readonly kind: 'done'; readonly readable: number; readonly customers: readonly ReboundCustomer[] }
  | { readonly kind: 'refused'; readonly why: string }

interface LostCustomer {
  readonly account: BillingAccount
  readonly binding: CustomerBinding
}

/** So many calls of KMS at once. */
const CONCURRENCY = 20

/**
 * After the loss of the customer key: finds each customer whose id the key of now does not decrypt among the customers at the gateway, and stores
 * its id anew, encrypted with that key. The stored digest of the id decides which customer it is; metadata decide nothing, because anybody may edit
 * them. Safe to repeat and to stop: customers that are bound anew are readable. The gateway lists deleted customers by their subscriptions only.
 * @param organizationId all organizations if undefined
 * @throws BillingError `gateway_unavailable` or `gateway_refused` if the lists cannot be read, CommonError `service_unavailable`, an error of KMS
 */
export async function rebindCustomers(
  deps: RebindDeps,
  organizationId: OrganizationId | undefined,
  { dryRun }: { dryRun: boolean },
): Promise<Rebound> {
  const accounts =
    organizationId === undefined ? await deps.bindings.list() : [await deps.records.readAccount(organizationId)]
  const known = accounts.filter((account) => account !== undefined)
  if (known.length < accounts.length) return { kind: 'refused', why: 'there is no such organization' }
  const all = known.flatMap((account) => everyCustomer(account).map((binding) => ({ account, binding })))
  const lost = new Map((await findLost(deps, all)).map((one) => [one.binding.digest, one]))
  const readable = all.length - lost.size
  const customers: ReboundCustomer[] = []
  const named = new Set<OrganizationId>()
  for await (const { id, organizationId: says } of atGateway(deps, lost)) {
    if (says !== null) named.add(says)
    const found = lost.get(customerDigest(id))
    if (found === undefined) continue
    lost.delete(found.binding.digest)
    customers.push({ ...rowOf(found), outcome: dryRun ? 'would be bound anew' : await bindAnew(deps, found, id) })
  }
  for (const left of lost.values()) {
    const row = rowOf(left)
    customers.push({ ...row, outcome: named.has(row.organization) ? 'not confirmed' : 'not found' })
  }
  return { kind: 'done', readable, customers }
}

function rowOf({ account, binding }: LostCustomer): Pick<ReboundCustomer, 'organization' | 'customer'> {
  const isCurrent = account.customer?.digest === binding.digest
  return { organization: account.organizationId, customer: isCurrent ? 'current' : 'former' }
}

/** If KMS fails for another reason, a customer counts as lost too: to encrypt its id once more does no harm. */
async function findLost({ cipher }: Pick<RebindDeps, 'cipher'>, all: readonly LostCustomer[]): Promise<LostCustomer[]> {
  const lost: LostCustomer[] = []
  for (let at = 0; at < all.length; at += CONCURRENCY) {
    const some = all.slice(at, at + CONCURRENCY)
    const isReadable = await Promise.all(
      some.map(({ account, binding }) =>
        cipher.decrypt(account.organizationId, binding.cipher).then(
          () => true,
          () => false,
        ),
      ),
    )
    lost.push(...some.filter((_one, index) => !isReadable[index]))
  }
  return lost
}

/** Customers at the gateway, while some are lost: first those that are not deleted, then those of every subscription. */
async function* atGateway({ listing }: Pick<RebindDeps, 'listing'>, lost: ReadonlyMap<string, unknown>) {
  yield* rowsOf((cursor) => listing.listCustomers(cursor), lost)
  for await (const { customerId: id } of rowsOf((cursor) => listing.listSubscriptions(cursor), lost)) {
    yield { id, organizationId: null }
  }
}

async function* rowsOf<Row>(
  list: (cursor?: string) => Promise<GatewayAnswer<Page<Row>>>,
  lost: ReadonlyMap<string, unknown>,
): AsyncGenerator<Row, void> {
  let cursor: string | undefined
  do {
    if (lost.size === 0) return
    const { rows, next }: Page<Row> = requireOk(await list(cursor))
    yield* rows
    cursor = next
  } while (cursor !== undefined)
}

async function bindAnew(
  { bindings, cipher, logger }: RebindDeps,
  { account, binding }: LostCustomer,
  customerId: string,
): Promise<'bound anew' | 'changed meanwhile'> {
  const { organizationId } = account
  const outcome = await bindings.replaceCipher(account, binding, await cipher.encrypt(organizationId, customerId))
  if (outcome === 'conflict') return 'changed meanwhile'
  logger.warn('Customer bound anew by an operator', { organizationId })
  return 'bound anew'
}
