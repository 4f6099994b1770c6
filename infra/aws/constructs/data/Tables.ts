import {
  type Attribute,
  AttributeType,
  Billing,
  ContributorInsightsMode,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb'
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import {
  CALLER_ATTRIBUTES,
  type IndexDescription,
  type KeyAttribute,
  ORGANIZATION_PARTITIONS,
  type TableDescription,
  type TableName,
  tableOfIndex,
  tables,
} from '../../../../lib/adapters/dynamodb/tables.ts'
import { countsOf } from '../../../data/rateLimits.ts'
import type { StageSettings } from '../../../data/stages.ts'
import { carriesToken, crossOriginOf, type FunctionRow, operator, writesProducts } from '../../../manifest.ts'
import type { WatchedTable } from '../../alarms/metrics.ts'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'
import { fitsOneRole } from '../InlineRole.ts'
import { removalPolicy } from '../stageNames.ts'
import { TableBackups } from './TableBackups.ts'

const attributeTypes = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const

function attribute({ name, type }: KeyAttribute): Attribute {
  return { name, type: attributeTypes[type] }
}

function globalIndex({
  name,
  partitionKey,
  sortKey,
  projection,
  include,
}: IndexDescription): GlobalSecondaryIndexPropsV2 {
  return {
    indexName: name,
    partitionKey: attribute(partitionKey),
    ...(sortKey && { sortKey: attribute(sortKey) }),
    projectionType: ProjectionType[projection],
    ...(include && { nonKeyAttributes: [...include] }),
  }
}

/**
 * Which keys of a table or index DynamoDB throttles. Throttled keys only: they are shown in plain text, and some hold a user's address, which the
 * other mode would show for every sign-in.
 */
const throttledKeys = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS } as const

function indexNames({ indexes = [] }: TableDescription): string[] {
  return indexes.map(({ name }) => name)
}

function isTableName(name: string): name is TableName {
  return name in tables
}

/** The name of every table. */
const tableNames = Object.keys(tables).filter(isTableName)

/** A table as functions know it. */
export type Table = Pick<TableV2, 'tableName' | 'tableArn'>

/** All tables: billed on demand, restorable to any second of the last 35 days, and kept when the stack is deleted if the stage says so. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, Table>>
  /** The stream of the table `events`; undefined if another table was restored in its place, which has none. */
  readonly eventStreamArn: string | undefined
  /** The same, with their indexes. */
  readonly watched: readonly WatchedTable[]

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    const { backupVaultArn: copyTo } = stage
    const backups = copyTo === undefined ? undefined : new TableBackups(this, 'Backups', { stage, copyTo })
    const streamArns: Partial<Record<TableName, string>> = {}
    const use = (name: TableName): Table => {
      const made = this.create(name, stage)
      // Backups come first: if they fail, a protected table would prevent the rollback.
      if (backups) made.node.addDependency(...backups.madeFirst)
      const restored = stage.restoredTables?.[name]
      if (restored === undefined) {
        if (made.tableStreamArn !== undefined) streamArns[name] = made.tableStreamArn
        return made
      }
      // CloudFormation takes it over (`--import-existing-resources`). Functions have its name, whether that was done or not.
      this.create(name, stage, restored)
      return TableV2.fromTableName(this, `${name}Restored`, restored)
    }
    this.byName = {
      accounts: use('accounts'),
      billing: use('billing'),
      auditLog: use('auditLog'),
      events: use('events'),
    }
    this.eventStreamArn = streamArns.events
    this.watched = tableNames.map((name) => ({
      tableName: this.byName[name].tableName,
      indexes: indexNames(tables[name]),
    }))
    backups?.select(Object.values(this.byName).map(({ tableArn }) => tableArn))
  }

  /**
   * Allows a function exactly what its row lists for each table, and sets the variables with the tables' names. If pages of registered
   * clients call it, it may also read the item of their origins; if its callers carry tokens, it may also check if their grants are live.
   */
  grantAccess(fn: ServiceFunction, row: FunctionRow): void {
    for (const name of tableNames) {
      const listed = row.tables[name]
      if (!listed) continue
      const { tableArn, tableName } = this.byName[name]
      fn.setVariable(tables[name].environmentVariable, tableName)
      const indexes = (row.indexes ?? []).filter((index) => tableOfIndex(index) === name)
      const onIndexesOnly = name === 'billing' && indexes.length > 0
      const onTable = onIndexesOnly ? listed.filter((action) => action !== 'Query') : listed
      const actions = onTable.map((action) => `dynamodb:${action}`)
      if (name === 'accounts' && isNarrow(row)) grantNarrow(fn, row, tableArn)
      else if (name === 'billing' && !writesProducts(row)) grantOrganizations(fn, actions, tableArn)
      else if (actions.length > 0) fn.allow({ actions, resources: [tableArn] })
      const resources = indexes.map((index) => `${tableArn}/index/${index}`)
      if (resources.length > 0) fn.allow({ actions: ['dynamodb:Query'], resources })
    }
    if (carriesToken(row)) this.grantRead(fn, row, 'BatchGetItem', callers, CALLER_ATTRIBUTES)
    if (crossOriginOf(row) === 'registered') this.grantRead(fn, row, 'GetItem', ['CLIENT_ORIGINS'])
  }

  /**
   * Allows operators' commands exactly what their role lists. A policy of its own: it names the tables, so it is made after them, and the role
   * before them.
   */
  grantOperator(role: IRole): void {
    const listed: FunctionRow['tables'] = operator.tables
    const statements = tableNames.flatMap((name) => {
      const actions = listed[name]?.map((action) => `dynamodb:${action}`)
      return actions ? [{ actions, resources: [this.byName[name].tableArn] }] : []
    })
    const indexes = operator.indexes.map((index) => `${this.byName[tableOfIndex(index)].tableArn}/index/${index}`)
    const policy = new Policy(this, 'OperatorPolicy', {
      roles: [role],
      statements: [...statements, { actions: ['dynamodb:Query'], resources: indexes }].map(
        (statement) => new PolicyStatement(statement),
      ),
    })
    acknowledge(policy, { 'NIST.800.53.R5-IAMNoInlinePolicy': fitsOneRole })
  }

  /** Allows a read of a few items of accounts, unless the row allows that read of every item. */
  private grantRead(
    fn: ServiceFunction,
    { tables: { accounts = [] } }: FunctionRow,
    action: 'GetItem' | 'BatchGetItem',
    ...items: Parameters<typeof onlyKeys>
  ): void {
    const { tableArn, tableName } = this.byName.accounts
    fn.setVariable(tables.accounts.environmentVariable, tableName)
    if (accounts.includes(action)) return
    fn.allow({ actions: [`dynamodb:${action}`], resources: [tableArn], conditions: onlyKeys(...items) })
  }

  /** @param restored the name of a table that exists: it must have a fixed name and be kept, or CloudFormation does not import it */
  private create(name: TableName, stage: StageSettings, restored?: string): TableV2 {
    const { partitionKey, sortKey, timeToLiveAttribute, hasStream, indexes = [] }: TableDescription = tables[name]
    // Another id for each, so that the next restored table takes the place of none.
    return new TableV2(this, restored === undefined ? name : `Restored ${restored}`, {
      ...(restored !== undefined && { tableName: restored }),
      partitionKey: attribute(partitionKey),
      ...(sortKey && { sortKey: attribute(sortKey) }),
      ...(timeToLiveAttribute && { timeToLiveAttribute }),
      ...(hasStream && { dynamoStream: StreamViewType.NEW_IMAGE }),
      globalSecondaryIndexes: indexes.map(globalIndex),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      contributorInsightsSpecification: throttledKeys,
      deletionProtection: stage.removal === 'retain',
      removalPolicy: restored === undefined ? removalPolicy(stage) : RemovalPolicy.RETAIN,
    })
  }
}

/** What says whether a caller's grant is live. */
const callers = ['USER#*', 'API_CLIENTS#*', 'CLIENT#service_*', 'TOKEN_FAMILY#*']

/** Whether a function only writes rate-limit counts to accounts. It may also check its callers in transactions. */
function isNarrow({ rateLimit, tables: { accounts = [] } }: FunctionRow): boolean {
  const others = accounts.filter((action) => action !== 'UpdateItem' && action !== 'ConditionCheckItem')
  return rateLimit !== undefined && accounts.length > 0 && others.length === 0
}

function grantNarrow(fn: ServiceFunction, row: FunctionRow, tableArn: string): void {
  const { accounts = [] } = row.tables
  const allow = (action: string, ...patterns: string[]) =>
    fn.allow({ actions: [action], resources: [tableArn], conditions: onlyKeys(patterns) })

  // The counts of requests (`lib/adapters/dynamodb/rateLimitStore.ts`).
  if (accounts.includes('UpdateItem')) allow('dynamodb:UpdateItem', ...countsOf(row).map((name) => `RATE#${name}#*`))
  if (accounts.includes('ConditionCheckItem')) allow('dynamodb:ConditionCheckItem', 'USER#*')
}

const writes = ['PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action}`)

/** Allows all reads, and writes only of organizations, members and invitations. */
function grantOrganizations(fn: ServiceFunction, actions: readonly string[], tableArn: string): void {
  const resources = [tableArn]
  const [written, read] = [true, false].map((isWrite) => actions.filter((one) => writes.includes(one) === isWrite))
  const conditions = onlyKeys(ORGANIZATION_PARTITIONS)
  if (read?.length) fn.allow({ actions: read, resources })
  if (written?.length) fn.allow({ actions: written, resources, conditions })
}

/**
 * @param patterns of partition keys, such as that of the item of origins (`lib/adapters/dynamodb/oauthClientStore.ts`)
 * @param attributes may be read, keys included; all if left out
 */
function onlyKeys(patterns: readonly string[], attributes?: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
    ...(attributes && {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
      // A read of the whole item names no attribute: refuse it.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    }),
    // `ForAllValues` also holds if there is no key at all.
    Null: { 'dynamodb:LeadingKeys': 'false' },
  }
}
