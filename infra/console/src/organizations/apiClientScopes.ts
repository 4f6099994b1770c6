import * as z from 'zod/mini'
import type { ApiClient } from '../app/types.ts'

type Scope = ApiClient['scopes'][number]

/** What a scope lets an API client do, in a customer's words. */
export const scopeTexts = {
  'entitlements:read': 'See what the organization has bought',
  'billing:read': 'See subscriptions, prices, cards, invoices and billing details',
  'billing:write': 'Buy, cancel and resume products, and change cards and billing details',
  'members:read': 'See who belongs to the organization, without email addresses',
} as const satisfies Record<Scope, string>

/** Every scope that an API client can have, in the order in which they are shown. */
export const apiClientScopes = [
  'entitlements:read',
  'billing:read',
  'billing:write',
  'members:read',
] as const satisfies readonly Scope[]

/** An API client's name and scopes, as they were kept. */
export const apiClientDraft = z.object({ name: z.string(), scopes: z.array(z.enum(apiClientScopes)) })

export type ApiClientDraft = z.output<typeof apiClientDraft>
