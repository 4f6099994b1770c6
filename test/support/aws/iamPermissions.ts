import * as z from 'zod'
import { operator } from '../../../infra/manifest/operator.ts'
import { carriesToken, crossOriginOf, type FunctionRow, writesProducts } from '../../../infra/manifest.ts'
import { ORIGINS_KEY } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import {
  CALLER_ATTRIBUTES,
  ORGANIZATION_PARTITIONS,
  tableOfIndex,
  tables,
} from '../../../lib/adapters/dynamodb/tables.ts'
import type { AwsCall } from './awsCalls.ts'

/** Which resource of the manifest is behind a key id or a secret's ARN. */
export type ResourceNames = Readonly<Record<string, string>>

const tableOf: ResourceNames = Object.fromEntries(
  Object.entries(tables).map(([name, { localName }]) => [localName, name]),
)

const onTable = z.looseObject({ TableName: z.string() })
const onIndex = z.looseObject({ IndexName: z.string() })
const onOrigins = z.looseObject({ Key: z.object({ pk: z.object({ S: z.literal(ORIGINS_KEY.pk) }) }) })
const readOrigins = 'dynamodb:GetItem accounts, of origins'
const readCallers = 'dynamodb:BatchGetItem accounts, of callers'
const transaction = z.looseObject({ TransactItems: z.array(z.record(z.string(), onTable)) })
const batch = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ ProjectionExpression: z.string().optional() })),
})
const name = z.object({ pk: z.object({ S: z.string() }) })
const keyed = z.union([
  z.looseObject({ Item: name }).transform(({ Item }) => Item.pk.S),
  z.looseObject({ Key: name }).transform(({ Key }) => Key.pk.S),
])
const onKey = z.looseObject({ KeyId: z.string() })
/** The customer key in its other use, which only the encryption context says. */
const onTotpSecret = z.looseObject({ EncryptionContext: z.looseObject({ purpose: z.literal('totp') }) })
const onWebhookSecret = z.looseObject({ EncryptionContext: z.looseObject({ purpose: z.literal('webhook_secret') }) })
const onProviderSecret = z.looseObject({ EncryptionContext: z.looseObject({ purpose: z.literal('provider_secret') }) })
const onSecret = z.looseObject({ SecretId: z.string() })

/** What an item of a transaction needs: IAM knows no action for the transaction itself. */
const itemActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
}

/**
 * What IAM asks a caller to be allowed, as `<service>:<action> <resource>`, each once: `dynamodb:PutItem billing`,
 * `kms:Encrypt customer`, `secretsmanager:GetSecretValue stripeSecretKey`. A resource that is in no list keeps its own name.
 */
export function permissionsNeeded({ service, operation, input }: AwsCall, names: ResourceNames): string[] {
  const nameOf = (id: string) => names[id] ?? id
  if (service === 'TrentService') {
    const use = onTotpSecret.safeParse(input).success
      ? 'totp'
      : onWebhookSecret.safeParse(input).success
        ? 'webhook'
        : onProviderSecret.safeParse(input).success
          ? 'provider'
          : ''
    const key = use || nameOf(onKey.parse(input).KeyId)
    return [`kms:${operation} ${key}`]
  }
  if (service === 'secretsmanager') return [`secretsmanager:${operation} ${nameOf(onSecret.parse(input).SecretId)}`]
  if (!service.startsWith('DynamoDB_')) return [`${service}:${operation} *`]
  if (operation === 'GetItem' && onOrigins.safeParse(input).success) return [readOrigins]
  return [...new Set(tableActions(operation, input).map(toPermission))]
}

const writes = ['PutItem', 'UpdateItem', 'DeleteItem']
const ofOrganizations = (action: string) => `dynamodb:${action} billing, of organizations`

function toPermission({ action, table, index, attributes, partition = '' }: TableAction): string {
  if (index !== undefined) return `dynamodb:${action} ${tableOf[table]}/index/${index}`
  const isOrganization = ORGANIZATION_PARTITIONS.some((pattern) =>
    pattern.endsWith('*') ? partition.startsWith(pattern.slice(0, -1)) : partition === pattern,
  )
  if (tableOf[table] === 'billing' && writes.includes(action) && isOrganization) return ofOrganizations(action)
  const isOfCaller = tableOf[table] === 'accounts' && attributes === CALLER_ATTRIBUTES.join(', ')
  return isOfCaller ? readCallers : `dynamodb:${action} ${tableOf[table]}`
}

interface TableAction {
  action: string
  table: string
  /** The index that a query reads; the table itself if left out. */
  index?: string | undefined
  /** The attributes that a read asks for; all where left out. */
  attributes?: string | undefined
  /** The partition key of the one item that it is about. */
  partition?: string | undefined
}

function tableActions(operation: string, input: unknown): TableAction[] {
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    const items = transaction.parse(input).TransactItems.flatMap((item) => Object.entries(item))
    return items.map(([kind, item]) => ({
      action: itemActions[kind] ?? kind,
      table: item.TableName,
      partition: keyed.safeParse(item).data,
    }))
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    return Object.entries(batch.parse(input).RequestItems).map(([table, { ProjectionExpression }]) => ({
      action: operation,
      table,
      attributes: ProjectionExpression,
    }))
  }
  return [
    {
      action: operation,
      table: onTable.parse(input).TableName,
      index: onIndex.safeParse(input).data?.IndexName,
      partition: keyed.safeParse(input).data,
    },
  ]
}

/** All that a function may do, in the same words. */
export function permissionsGranted(row: FunctionRow): string[] {
  const { tables, indexes = [], kms, secrets } = row
  return [
    ...(crossOriginOf(row) === 'registered' ? [readOrigins] : []),
    // What may read every item needs no permission for those of its callers.
    ...(carriesToken(row) && !tables.accounts?.includes('BatchGetItem') ? [readCallers] : []),
    ...Object.entries(tables).flatMap(([table, actions]) =>
      // As in the stack: if indexes are listed, Query is for them and not for the table.
      actions
        .filter((action) => table !== 'billing' || action !== 'Query' || indexes.length === 0)
        .map((action) =>
          table === 'billing' && writes.includes(action) && !writesProducts(row)
            ? ofOrganizations(action)
            : `dynamodb:${action} ${table}`,
        ),
    ),
    ...indexes.map((index) => `dynamodb:Query ${tableOfIndex(index)}/index/${index}`),
    ...Object.entries(kms).flatMap(([key, uses]) => uses.map((use) => `kms:${use} ${key}`)),
    ...secrets.map((secret) => `secretsmanager:GetSecretValue ${secret}`),
  ]
}

/** All that operators' commands may do, in the same words. */
export function operatorPermissions(): string[] {
  const { tables, indexes, kms, secrets } = operator
  return [
    ...Object.entries(tables).flatMap(([table, actions]) => actions.map((action) => `dynamodb:${action} ${table}`)),
    ...indexes.map((index) => `dynamodb:Query ${tableOfIndex(index)}/index/${index}`),
    ...Object.entries(kms).flatMap(([key, uses]) => uses.map((use) => `kms:${use} ${key}`)),
    ...secrets.map((secret) => `secretsmanager:GetSecretValue ${secret}`),
  ]
}
