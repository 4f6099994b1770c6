import { accountRows } from './manifest/accounts.ts'
import { billingRows } from './manifest/billing.ts'
import { oauthRows } from './manifest/oauth.ts'
import { organizationRows } from './manifest/organizations.ts'
import { defaults, type FunctionRow, type Row } from './manifest/row.ts'

export type { FunctionRow, KmsUse, Method, SecretName, Trigger } from './manifest/row.ts'

/** The API's own description, and what answers every other path. */
const apiRows = [
  {
    name: 'openapi',
    operationId: 'getOpenapiDocument',
    summary: 'Retrieve this document (OpenAPI 3.1)',
    trigger: { kind: 'http', method: 'GET', path: '/api/openapi.json' },
    caller: 'anyone',
    samples: { served: 'document' },
    memoryMb: 256,
    timeoutSeconds: 5,
  },
  {
    name: 'unmatched-route',
    summary: 'Answer 404 or 405 where no route matches',
    trigger: { kind: 'unmatched' },
    caller: 'anyone',
    samples: { refused: 'unknown-path' },
    memoryMb: 256,
    timeoutSeconds: 5,
  },
] as const satisfies readonly Row[]

const rows = [...oauthRows, ...accountRows, ...billingRows, ...organizationRows, ...apiRows]

export type FunctionName = (typeof rows)[number]['name']

/**
 * Every function, how it is reached and what it may touch. The cloud stack, the local stack, the API's description, the tables of
 * `functions/README.md` and `events/README.md`, the benchmarks and the tests derive from it.
 */
export const manifest: readonly (FunctionRow & { readonly name: FunctionName })[] = rows.map((row) => ({
  ...defaults,
  ...row,
}))
