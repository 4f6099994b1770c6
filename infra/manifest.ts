import type { TableName } from '../lib/adapters/dynamodb/tables.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** How a function is reached: a route of the HTTP API, every route that nothing else matches, a Lambda URL of its own, or a schedule. */
export type Trigger =
  | { readonly kind: 'http'; readonly method: Method; readonly path: `/api/${string}` | `/.well-known/${string}` }
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'url' }
  | { readonly kind: 'schedule'; readonly every: 'minute' | 'day' }

export type DynamoDbAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
export type KmsUse = 'Encrypt' | 'Decrypt' | 'Sign'
export type SecretName = 'stripeSecretKey' | 'stripeWebhookSecrets'

export interface FunctionRow {
  /** Folder under `functions/`, and the name on AWS. */
  readonly name: string
  readonly summary: string
  readonly trigger: Trigger
  /** Who may call it. */
  readonly caller: 'anyone' | 'client' | 'user' | 'member' | 'billing admin' | 'owner' | 'stripe' | 'schedule'
  readonly tables: { readonly [Name in TableName]?: readonly DynamoDbAction[] }
  readonly kms: { readonly customer?: readonly KmsUse[]; readonly token?: readonly KmsUse[] }
  /** Holds the public half of the token key though no caller of it carries a token: it reads tokens in a body, or tells of the key. */
  readonly holdsPublicKey?: true
  readonly secrets: readonly SecretName[]
  readonly memoryMb: number
  readonly timeoutSeconds: number
}

/** The spine: every function, how it is reached and what it may touch. The cloud stack, the local stack and the README are held to it. */
export const manifest = [
  {
    name: 'oauth-token',
    summary: 'Exchange an authorization code or a refresh token for tokens',
    trigger: { kind: 'http', method: 'POST', path: '/api/oauth/token' },
    caller: 'client',
    tables: { accounts: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
    kms: { token: ['Sign'] },
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'users-me',
    summary: 'Read the signed-in user',
    trigger: { kind: 'http', method: 'GET', path: '/api/users/me' },
    caller: 'user',
    tables: { accounts: ['GetItem', 'UpdateItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'users-me-update',
    summary: 'Change the signed-in user’s profile',
    trigger: { kind: 'http', method: 'PATCH', path: '/api/users/me' },
    caller: 'user',
    tables: { accounts: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'billing-checkout',
    summary: 'Buy a cart of products; one answer per line',
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/checkout' },
    caller: 'billing admin',
    tables: {
      accounts: ['UpdateItem'],
      billing: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    },
    kms: { customer: ['Encrypt', 'Decrypt'] },
    secrets: ['stripeSecretKey'],
    memoryMb: 512,
    timeoutSeconds: 28,
  },
  {
    name: 'billing-setup-intent',
    summary: 'Mint a secret with which the console sets up a card',
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/card-gateway/setup-intent' },
    caller: 'billing admin',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'ConditionCheckItem'] },
    kms: { customer: ['Encrypt', 'Decrypt'] },
    secrets: ['stripeSecretKey'],
    memoryMb: 512,
    timeoutSeconds: 28,
  },
  {
    name: 'billing-cancel',
    summary: 'Cancel one product, at period end or at once',
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/cancel' },
    caller: 'billing admin',
    tables: {
      accounts: ['UpdateItem'],
      billing: ['BatchGetItem', 'PutItem', 'DeleteItem'],
    },
    kms: {},
    secrets: ['stripeSecretKey'],
    memoryMb: 512,
    timeoutSeconds: 28,
  },
  {
    name: 'billing-entitlements',
    summary: 'Read what an organization is entitled to',
    trigger: { kind: 'http', method: 'GET', path: '/api/billing/entitlements' },
    caller: 'member',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'stripe-webhook',
    summary: 'Project what Stripe reports into subscriptions and entitlements',
    trigger: { kind: 'url' },
    caller: 'stripe',
    tables: { billing: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: ['stripeSecretKey', 'stripeWebhookSecrets'],
    memoryMb: 512,
    timeoutSeconds: 28,
  },
  {
    name: 'billing-sweep',
    summary: 'Carry on the purchases that nobody repeats',
    trigger: { kind: 'schedule', every: 'minute' },
    caller: 'schedule',
    tables: { billing: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
    memoryMb: 512,
    timeoutSeconds: 120,
  },
  {
    name: 'billing-reconcile',
    summary: 'Compare everything with Stripe and repair what a rule covers',
    trigger: { kind: 'schedule', every: 'day' },
    caller: 'schedule',
    tables: { billing: ['BatchGetItem', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: ['stripeSecretKey'],
    memoryMb: 512,
    timeoutSeconds: 900,
  },
  {
    name: 'organizations',
    summary: 'List the signed-in user’s organizations',
    trigger: { kind: 'http', method: 'GET', path: '/api/organizations' },
    caller: 'user',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'Query'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-create',
    summary: 'Create an organization with the signed-in user as its owner',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations' },
    caller: 'user',
    tables: { accounts: ['GetItem', 'UpdateItem'], billing: ['PutItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-rename',
    summary: 'Rename an organization',
    trigger: { kind: 'http', method: 'PATCH', path: '/api/organizations/{organization_id}' },
    caller: 'owner',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-members',
    summary: 'List an organization’s members and, for its owners, open invitations',
    trigger: { kind: 'http', method: 'GET', path: '/api/organizations/{organization_id}/members' },
    caller: 'member',
    tables: { accounts: ['BatchGetItem', 'UpdateItem'], billing: ['BatchGetItem', 'Query'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-invite',
    summary: 'Invite somebody by email',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations/{organization_id}/invitations' },
    caller: 'owner',
    tables: { accounts: ['GetItem', 'UpdateItem'], billing: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-invitation-revoke',
    summary: 'Take an invitation back',
    trigger: {
      kind: 'http',
      method: 'DELETE',
      path: '/api/organizations/{organization_id}/invitations/{invitation_id}',
    },
    caller: 'owner',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'DeleteItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-accept',
    summary: 'Accept an invitation with the token of its mail',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations/invitations/accept' },
    caller: 'user',
    tables: {
      accounts: ['GetItem', 'UpdateItem', 'ConditionCheckItem'],
      billing: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-member-role',
    summary: 'Give a member another role',
    trigger: { kind: 'http', method: 'PATCH', path: '/api/organizations/{organization_id}/members/{user_id}' },
    caller: 'owner',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-member-remove',
    summary: 'Take a member out of an organization',
    trigger: { kind: 'http', method: 'DELETE', path: '/api/organizations/{organization_id}/members/{user_id}' },
    caller: 'owner',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-leave',
    summary: 'Leave an organization',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations/{organization_id}/leave' },
    caller: 'member',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'DeleteItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'organizations-transfer',
    summary: 'Make another member an owner in one’s own place',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations/{organization_id}/transfer' },
    caller: 'owner',
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'UpdateItem'] },
    kms: {},
    secrets: [],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: 'unmatched-route',
    summary: 'Answer 404 or 405 where no route matches',
    trigger: { kind: 'unmatched' },
    caller: 'anyone',
    tables: {},
    kms: {},
    secrets: [],
    memoryMb: 256,
    timeoutSeconds: 5,
  },
] as const satisfies readonly FunctionRow[]
