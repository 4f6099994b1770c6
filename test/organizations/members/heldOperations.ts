import { errorText } from '../../support/errorBody.ts'
import type { Answer } from './people.ts'
import { tenantOperations } from './tenantOperations.ts'

/** Keyed by the manifest: a row for a member, a billing admin or an owner is held to every rule of access. */
export const operations = await tenantOperations()
export const reads = operations.filter(({ isRead }) => isRead)
export const restricted = operations.filter(({ forbidden }) => forbidden.length > 0)

/** With what it names, or without it in an organization that lacks it. */
export const isServed = ({ status, text }: Answer) =>
  status === 200 || (status === 404 && !text.includes('organization_not_found'))

export const notFound = { status: 404, text: errorText('Organization not found', 'organization_not_found') }
