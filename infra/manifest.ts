import { accountRows } from './manifest/accounts.ts'
import { billingRows } from './manifest/billing.ts'
import { get, publicDocument } from './manifest/columns.ts'
import { companyRows } from './manifest/company.ts'
import { eventRows } from './manifest/events.ts'
import { oauthRows } from './manifest/oauth.ts'
import { organizationRows } from './manifest/organizations.ts'
import { completed, type FunctionRow, type Row } from './manifest/row.ts'
import { webhookRows } from './manifest/webhooks.ts'

export { operator } from './manifest/operator.ts'
export type { CrossOrigin, FunctionRow, KmsUse, Method, SecretName, StreamName, Trigger } from './manifest/row.ts'
export { carriesToken, crossOriginOf, isOfOrganization, streams, writesProducts } from './manifest/row.ts'

/** The API's own description, and what answers every other path. */
const apiRows = [
  {
    name: 'openapi',
    operationId: 'getOpenapiDocument',
    summary: 'Retrieve this document (OpenAPI 3.1)',
    trigger: get('/api/openapi.json'),
    ...publicDocument,
    samples: { served: 'document' },
  },
  {
    name: 'unmatched-route',
    summary: 'Answer preflights, and 404 or 405 if no route matches',
    trigger: { kind: 'unmatched' },
    caller: 'anyone',
    samples: { served: 'preflight', refused: 'unknown-path' },
    // A preflight is waited for before the request itself: room for a quick start with DynamoDB's client.
    timeoutSeconds: 5,
  },
] as const satisfies readonly Row[]

function withSettings<Name extends string>(rows: readonly (Row & { readonly name: Name })[]) {
  return rows.map((row): FunctionRow & { readonly name: Name } => ({ ...completed(row), name: row.name }))
}

/** The functions of each area. An area is a stack of its own on AWS: CloudFormation takes 500 resources a stack. */
export const areas = {
  oauth: withSettings(oauthRows),
  accounts: withSettings(accountRows),
  // Runs that fail have one queue, so all schedules are here.
  billing: withSettings([...billingRows, ...eventRows]),
  organizations: withSettings(organizationRows),
  company: withSettings(companyRows),
  webhooks: withSettings(webhookRows),
  openapi: withSettings(apiRows),
} as const

export type Area = keyof typeof areas
export type FunctionName = (typeof areas)[Area][number]['name']

/**
 * Every function, how it is reached and what it may touch. The cloud stack, the local stack, the API's description, the
 * benchmarks and the tests derive from it.
 */
export const manifest: readonly (FunctionRow & { readonly name: FunctionName })[] = Object.values(areas).flat()
