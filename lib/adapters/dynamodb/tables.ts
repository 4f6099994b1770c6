/** A key attribute: its name and whether it is a string (`S`) or a number (`N`). */
export interface KeyAttribute {
  readonly name: string
  readonly type: 'S' | 'N'
}

/** A global secondary index. An item without all of its keys is not in it. */
export interface IndexDescription {
  readonly name: string
  readonly partitionKey: KeyAttribute
  readonly sortKey?: KeyAttribute
  readonly projection: 'KEYS_ONLY' | 'INCLUDE' | 'ALL'
  /** With `INCLUDE`, the attributes beside the keys. */
  readonly include?: readonly string[]
}

/** A table as the cloud stack, the local stack and the tests create it, billed on demand. */
export interface TableDescription {
  /** Environment variable that holds the table's name. */
  readonly environmentVariable: string
  /** The table's name in the local stack and in tests. */
  readonly localName: string
  readonly partitionKey: KeyAttribute
  readonly sortKey?: KeyAttribute
  /** Attribute with the Unix time in seconds after which DynamoDB may delete the item; readers check it themselves. */
  readonly timeToLiveAttribute?: string
  readonly indexes?: readonly IndexDescription[]
  /** Its new and changed items can be followed. */
  readonly hasStream?: true
}

const keys = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'S' } } as const

/**
 * Every table. Accounts: users and their authenticators, clients, codes, challenges, tokens, counted requests, keys of
 * requests. Billing: organizations, their members and invitations, slots and coupon redemptions; only invitations
 * expire there. Audit log: changes in organizations. It is a separate table, so that its writers may only put items.
 * Events: facts for other systems, the endpoints that hear them, and the deliveries. Functions that write facts may only put items there.
 */
export const tables = {
  accounts: {
    environmentVariable: 'ACCOUNTS_TABLE',
    localName: 'accounts',
    ...keys,
    timeToLiveAttribute: 'expiresAt',
  },
  billing: {
    environmentVariable: 'BILLING_TABLE',
    localName: 'billing',
    ...keys,
    indexes: [
      {
        name: 'pending',
        partitionKey: { name: 'pendingKey', type: 'S' },
        sortKey: { name: 'nextSweepAt', type: 'N' },
        projection: 'INCLUDE',
        include: ['firstSent'],
      },
      {
        name: 'customers',
        partitionKey: { name: 'custDigest', type: 'S' },
        projection: 'KEYS_ONLY',
      },
    ],
  },
  auditLog: {
    environmentVariable: 'AUDIT_LOG_TABLE',
    localName: 'audit-log',
    ...keys,
    timeToLiveAttribute: 'expiresAt',
  },
  events: {
    environmentVariable: 'EVENTS_TABLE',
    localName: 'events',
    ...keys,
    timeToLiveAttribute: 'expiresAt',
    hasStream: true,
    indexes: [
      {
        name: 'due',
        partitionKey: { name: 'dueKey', type: 'S' },
        sortKey: { name: 'dueAt', type: 'N' },
        projection: 'INCLUDE',
        include: ['owner'],
      },
    ],
  },
} as const satisfies Record<string, TableDescription>

export type TableName = keyof typeof tables
export type IndexName = (typeof tables)['billing' | 'events']['indexes'][number]['name']

/** The table of an index: no two indexes have the same name. */
export function tableOfIndex(index: IndexName): TableName {
  return index === 'due' ? 'events' : 'billing'
}

/** The names of the tables; none of the audit log or the events for a function that does not use them. */
export interface TableNames {
  readonly accounts: string
  readonly billing: string
  readonly auditLog: string | undefined
  readonly events?: string | undefined
}

/** Partition keys of `billing` under which organizations, their members, lists, invitations and mails are: all but what was bought. */
export const ORGANIZATION_PARTITIONS = [
  'ORG#*',
  'USER#*',
  'INVITE#*',
  'INVITED#*',
  'DELETION',
  'MONEY_MAIL',
  'DOMAIN',
] as const

/**
 * The attributes of a user's item in `accounts` that decide if a grant is live and its sign-in enough (the address: if a company's sign-on
 * concerns the user), of a service client's if its tokens are good, and who created an API client.
 * Functions without other business there may read only these, and the existence of a family's revocation.
 */
export const CALLER_ATTRIBUTES = [
  'pk',
  'sk',
  'isActive',
  'securityRev',
  'keptFamily',
  'hasSecondFactor',
  'email',
  'createdBy',
  'disabled',
] as const
