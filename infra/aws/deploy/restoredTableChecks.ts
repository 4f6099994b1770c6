import * as z from 'zod'
import {
  type IndexDescription,
  type KeyAttribute,
  type TableDescription,
  tables,
} from '../../../lib/adapters/dynamodb/tables.ts'
import type { StageSettings } from '../../data/stages.ts'
import type { RunAws } from './awsCommand.ts'
import { readIfThere } from './deployedStage.ts'
import { type Finding, must } from './finding.ts'

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
const foundIndex = z.object({
  IndexName: z.string(),
  IndexStatus: z.string(),
  KeySchema: keySchema,
  Projection: z.object({ ProjectionType: z.string(), NonKeyAttributes: z.array(z.string()).default([]) }),
})
const foundTable = z.object({
  Table: z.object({
    KeySchema: keySchema,
    DeletionProtectionEnabled: z.boolean().default(false),
    GlobalSecondaryIndexes: z.array(foundIndex).default([]),
    StreamSpecification: z.object({ StreamEnabled: z.boolean(), StreamViewType: z.string().optional() }).optional(),
  }),
})
const timeToLive = z.object({
  TimeToLiveDescription: z.object({ TimeToLiveStatus: z.string(), AttributeName: z.string().optional() }),
})
const continuousBackups = z.object({
  ContinuousBackupsDescription: z.object({
    PointInTimeRecoveryDescription: z.object({ PointInTimeRecoveryStatus: z.string() }),
  }),
})

/** A table that a stage uses instead of its own. */
interface RestoredTable {
  readonly table: string
  readonly description: TableDescription
  readonly isProtected: boolean
}

/**
 * Refuses a restored table that does not have what the template says of it. CloudFormation takes it over without a look at it: what is missing would
 * stay missing, and a table that is not there would be created, empty.
 */
export function restoredTableChecks({ restoredTables = {}, removal }: StageSettings, aws: RunAws): Finding[] {
  const named = Object.entries<TableDescription>(tables).flatMap(([name, description]) => {
    const table = restoredTables[name as keyof typeof tables]
    return table === undefined ? [] : [{ table, description, isProtected: removal === 'retain' }]
  })
  return named.flatMap((restored) => checkTable(restored, aws))
}

function checkTable(restored: RestoredTable, aws: RunAws): Finding[] {
  const { table, description } = restored
  const answer = readIfThere(aws, 'dynamodb', 'describe-table', '--table-name', table)
  if (answer === undefined) {
    return [must(`${table} does not exist: restore it, or correct restoredTables (infra/runbook/restore.md)`)]
  }
  const { Table } = foundTable.parse(answer)
  if (!isEqual(Table.KeySchema, schemaOf(description)))
    return [must(`${table} has other keys than lib/adapters/dynamodb/tables.ts: it is not a copy of this table`)]
  const indexes = description.indexes ?? []
  return [
    ...indexes.flatMap((index) => checkIndex(table, index, Table.GlobalSecondaryIndexes)),
    ...(restored.isProtected && !Table.DeletionProtectionEnabled
      ? [must(`${table} is not protected: ${updateTable(table)} --deletion-protection-enabled`)]
      : []),
    ...(description.hasStream && !hasStream(Table)
      ? [
          must(
            `${table} has no stream: ${updateTable(table)} --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE`,
          ),
        ]
      : []),
    ...checkTimeToLive(restored, aws),
    ...checkRecovery(restored, aws),
  ]
}

function hasStream({ StreamSpecification }: z.infer<typeof foundTable>['Table']): boolean {
  return StreamSpecification?.StreamEnabled === true && StreamSpecification.StreamViewType === 'NEW_IMAGE'
}

function checkIndex(table: string, index: IndexDescription, found: readonly z.infer<typeof foundIndex>[]): Finding[] {
  const there = found.find(({ IndexName }) => IndexName === index.name)
  if (there === undefined) {
    const { name: IndexName, projection: ProjectionType, include } = index
    const Projection = { ProjectionType, ...(include && { NonKeyAttributes: include }) }
    const attributes = keysOf(index).map(({ name, type }) => `AttributeName=${name},AttributeType=${type}`)
    const created = JSON.stringify([{ Create: { IndexName, KeySchema: schemaOf(index), Projection } }])
    return [
      must(
        `${table} lacks the index ${index.name}: ${updateTable(table)} --attribute-definitions ${attributes.join(' ')} ` +
          `--global-secondary-index-updates '${created}'`,
      ),
    ]
  }
  const { ProjectionType, NonKeyAttributes } = there.Projection
  const isSame =
    isEqual(there.KeySchema, schemaOf(index)) &&
    ProjectionType === index.projection &&
    isEqual(NonKeyAttributes.toSorted(), [...(index.include ?? [])].toSorted())
  if (!isSame)
    return [must(`The index ${index.name} of ${table} is not that of lib/adapters/dynamodb/tables.ts: delete it first`)]
  return there.IndexStatus === 'ACTIVE'
    ? []
    : [must(`The index ${index.name} of ${table} is ${there.IndexStatus}: wait until it is ACTIVE`)]
}

function checkTimeToLive({ table, description }: RestoredTable, aws: RunAws): Finding[] {
  const { timeToLiveAttribute: wanted } = description
  if (wanted === undefined) return []
  const answer = aws('dynamodb', 'describe-time-to-live', '--table-name', table, '--output', 'json')
  const { TimeToLiveStatus, AttributeName } = timeToLive.parse(JSON.parse(answer)).TimeToLiveDescription
  const isOn = TimeToLiveStatus.startsWith('ENABL') && AttributeName === wanted
  const command = `aws dynamodb update-time-to-live --table-name ${table} --time-to-live-specification Enabled=true,AttributeName=${wanted}`
  return isOn ? [] : [must(`${table} deletes nothing that has expired: ${command}`)]
}

function checkRecovery({ table }: RestoredTable, aws: RunAws): Finding[] {
  const answer = aws('dynamodb', 'describe-continuous-backups', '--table-name', table, '--output', 'json')
  const { ContinuousBackupsDescription: backups } = continuousBackups.parse(JSON.parse(answer))
  const isOn = backups.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus === 'ENABLED'
  const command = `aws dynamodb update-continuous-backups --table-name ${table} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`
  return isOn ? [] : [must(`${table} cannot be restored: ${command}`)]
}

const updateTable = (table: string) => `aws dynamodb update-table --table-name ${table}`

type Keys = Pick<IndexDescription, 'partitionKey' | 'sortKey'>

function keysOf({ partitionKey, sortKey }: Keys): KeyAttribute[] {
  return sortKey ? [partitionKey, sortKey] : [partitionKey]
}

function schemaOf(keys: Keys): z.infer<typeof keySchema> {
  return keysOf(keys).map(({ name }, at) => ({ AttributeName: name, KeyType: at === 0 ? 'HASH' : 'RANGE' }))
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
