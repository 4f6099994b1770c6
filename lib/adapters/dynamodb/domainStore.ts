import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { MAX_DOMAINS } from '../../organizations/domains/domainDeps.ts'
import {
  type Domain,
  type DomainChecks,
  type Domains,
  type DomainWrite,
  type DueCheck,
  domainMemberships,
  domainStatuses,
} from '../../organizations/domains/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { type Count, countIn, countOut } from './kit/countItems.ts'
import { type Item, type Key, queryPartition, readParsed } from './kit/readItems.ts'
import { hasOnlyFailed, type NamedItems, type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { checkOwnCaller } from './membershipStore.ts'
import { addVerifiedDomain, checkNotDeleting, organizationKey, removeVerifiedDomain } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

const DOMAIN = 'DOMAIN#'

const domainItem = z.object({
  organizationId: organizationIdSchema,
  id: z.uuid(),
  name: z.string(),
  status: z.enum(domainStatuses),
  proof: z.string(),
  membership: z.enum(domainMemberships),
  createdAt: z.int(),
})

/** By its name, so an organization has it once at most. */
function domainKey({ organizationId, name }: Pick<Domain, 'organizationId' | 'name'>): Key {
  return { pk: organizationKey(organizationId).pk, sk: `${DOMAIN}${name}` }
}

/** One partition holds all verified domains, so a consistent query finds those to check. */
const OWN_DOMAINS = 'DOMAIN'

/** Exists while an organization has the domain verified: the condition of its write decides which organization. */
export function ownDomainKey(name: string): Key {
  return { pk: OWN_DOMAINS, sk: name }
}

function countOf(TableName: string, organizationId: OrganizationId): Count {
  return { TableName, Key: { pk: organizationKey(organizationId).pk, sk: 'DOMAINS' }, attribute: 'domains' }
}

const checkItem = z.object({
  organizationId: organizationIdSchema,
  id: z.uuid(),
  name: z.string(),
  checkAt: z.int(),
  failures: z._default(z.int(), 0),
  unansweredSince: z.exactOptional(z.int()),
})

/** `DomainChecks` on DynamoDB, in the table `billing`, with their entries in `auditLog`. */
export function createDomainChecks(client: DynamoDBDocumentClient, tables: TableNames): DomainChecks {
  const TableName = tables.billing
  const isDue = ({ id, checkAt }: DueCheck) => ({
    ConditionExpression: 'id = :id AND checkAt = :due',
    ExpressionAttributeValues: { ':id': id, ':due': checkAt },
  })

  return {
    async listDue(now) {
      const items = await queryPartition(client, TableName, { pk: OWN_DOMAINS })
      return items
        .map((item) => checkItem.parse(item))
        .filter(({ checkAt }) => checkAt <= now)
        .toSorted((one, other) => one.checkAt - other.checkAt)
    },

    async find(due) {
      const found = await readParsed(client, TableName, domainKey(due), domainItem)
      return found?.id === due.id && found.status === 'verified' ? found : undefined
    },

    async postpone(due, { checkAt, failures, unansweredSince }) {
      const { ExpressionAttributeValues, ConditionExpression } = isDue(due)
      const since = unansweredSince === undefined ? ' REMOVE unansweredSince' : ', unansweredSince = :since'
      const result = await updateItem(client, {
        TableName,
        Key: ownDomainKey(due.name),
        UpdateExpression: `SET checkAt = :at, failures = :failures${since}`,
        ConditionExpression,
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':at': checkAt,
          ':failures': failures,
          ...(unansweredSince !== undefined && { ':since': unansweredSince }),
        },
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async lose(due, entry) {
      const lose = {
        TableName,
        Key: domainKey(due),
        UpdateExpression: 'SET #status = :lost',
        ConditionExpression: 'id = :id',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':lost': 'lost', ':id': due.id },
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        domain: { Update: lose },
        own: { Delete: { TableName, Key: ownDomainKey(due.name), ...isDue(due) } },
        organization: removeVerifiedDomain(TableName, due.organizationId, due.name),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}

/** `Domains` on DynamoDB, in the table `billing`; their callers in `accounts`, changes in `auditLog`. */
export function createDomains(client: DynamoDBDocumentClient, tables: TableNames): Domains {
  const TableName = tables.billing

  const writeAsOwner = <Name extends string>(
    organizationId: OrganizationId,
    { by, entry }: DomainWrite,
    writes: NamedItems<Name>,
  ) =>
    transactWithEntry<string>(client, tables.auditLog, entry, {
      ...writes,
      ...checkOwnCaller(tables, organizationId, by),
    })

  return {
    async list(organizationId) {
      const items = await queryPartition(client, TableName, { pk: organizationKey(organizationId).pk, prefix: DOMAIN })
      return items.map((item) => domainItem.parse(item))
    },

    async add(domain, write) {
      const { organizationId } = domain
      const Item = { ...domainKey(domain), ...domain }
      const result = await writeAsOwner(organizationId, write, {
        domain: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
        count: countIn(countOf(TableName, organizationId), MAX_DOMAINS),
        organization: checkNotDeleting(TableName, organizationId),
      })
      if (result.kind === 'written') return 'written'
      if (result.failed.has('domain')) return 'exists'
      // A former owner does not learn how many there are.
      return hasOnlyFailed(result, 'count') ? 'too_many' : 'conflict'
    },

    async verify(domain, checkAt, write) {
      const { organizationId, id, name, membership } = domain
      const own = {
        TableName,
        Item: { ...ownDomainKey(name), organizationId, id, name, membership, checkAt },
        ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
        ExpressionAttributeValues: { ':id': id },
      }
      const result = await writeAsOwner(organizationId, write, {
        domain: changeDomain(TableName, domain, { status: 'verified' }),
        own: { Put: own },
        organization: addVerifiedDomain(TableName, organizationId, name),
      })
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'own') ? 'taken' : 'conflict'
    },

    async setMembership(domain, membership, write) {
      const own = {
        TableName,
        Key: ownDomainKey(domain.name),
        UpdateExpression: 'SET membership = :membership',
        ConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':membership': membership, ':id': domain.id },
      }
      const result = await writeAsOwner(domain.organizationId, write, {
        domain: changeDomain(TableName, domain, { membership }),
        own: domain.status === 'verified' ? { Update: own } : undefined,
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async delete(domain, write) {
      const { organizationId } = domain
      const isVerified = domain.status === 'verified'
      const remove = { TableName, Key: domainKey(domain), ...asRead(domain) }
      const result = await writeAsOwner(organizationId, write, {
        domain: { Delete: remove },
        count: countOut(countOf(TableName, organizationId)),
        own: isVerified ? giveUp(TableName, domain) : undefined,
        organization: isVerified ? removeVerifiedDomain(TableName, organizationId, domain.name) : undefined,
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}

/** The domain is still as it was read. */
function asRead({ id, status, membership }: Domain) {
  return {
    ConditionExpression: 'id = :id AND #status = :status AND membership = :membership',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':id': id, ':status': status, ':membership': membership },
  }
}

function changeDomain(
  TableName: string,
  domain: Domain,
  change: Partial<Pick<Domain, 'status' | 'membership'>>,
): TransactItem {
  const { status, membership } = { ...domain, ...change }
  const { ExpressionAttributeValues, ...condition } = asRead(domain)
  return {
    Update: {
      TableName,
      Key: domainKey(domain),
      UpdateExpression: 'SET #status = :nextStatus, membership = :nextMembership',
      ...condition,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':nextStatus': status, ':nextMembership': membership },
    },
  }
}

/** Ends the ownership of a verified domain. */
function giveUp(TableName: string, { id, name }: Pick<Domain, 'id' | 'name'>): TransactItem {
  return {
    Delete: {
      TableName,
      Key: ownDomainKey(name),
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': id },
    },
  }
}

/** Whether this is a domain of an organization. */
export function isDomain({ sk }: Item): boolean {
  return String(sk).startsWith(DOMAIN)
}

/**
 * Frees a domain if the organization has it verified; safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function eraseOwnDomain(client: DynamoDBDocumentClient, TableName: string, domain: Item): Promise<void> {
  await transactWrite(client, { own: giveUp(TableName, domainItem.parse(domain)) })
}
