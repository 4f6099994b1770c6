import * as z from 'zod/mini'
import type { ApiClient } from '../app/types.ts'

type Scope = ApiClient['scopes'][number]

/** Every scope that an API client can have, in the order in which they are shown. */
export const apiClientScopes = [
  'entitlements:read',
  'billing:read',
  'billing:write',
  'members:read',
  'audit_log:read',
  'events:read',
] as const satisfies readonly Scope[]

/** An API client's name and scopes, as they were kept. */
export const apiClientDraft = z.object({ name: z.string(), scopes: z.array(z.enum(apiClientScopes)) })

export type ApiClientDraft = z.output<typeof apiClientDraft>
