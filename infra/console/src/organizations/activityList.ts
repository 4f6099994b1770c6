import type { OrganizationPage } from '../app/route.ts'
import type { AuditEntry } from '../app/types.ts'

/** The page of the object that a change is about, by the first word of its action. */
const pages: Readonly<Record<string, OrganizationPage>> = {
  organization: 'settings',
  member: 'members',
  invitation: 'members',
  user: 'members',
  subscription: 'products',
  payment_method: 'cards',
  invoice: 'invoices',
  details: 'details',
  api_client: 'api-clients',
  webhook_endpoint: 'webhooks',
  domain: 'domains',
  sso: 'sso',
}

/** The page on which the object of a change is; undefined for a kind of change that is not known here. */
export function pageOf({ action }: Pick<AuditEntry, 'action'>): OrganizationPage | undefined {
  return pages[action.split('.')[0] ?? '']
}

const kinds = {
  products: ['products'],
  money: ['cards', 'invoices', 'details'],
  people: ['members', 'domains', 'sso'],
  programs: ['api-clients', 'webhooks'],
  organization: ['settings'],
} as const satisfies Record<string, readonly OrganizationPage[]>

/** The last days, from now. */
export const periods = ['any', '7', '30', '90'] as const

const DAY_MS = 24 * 60 * 60 * 1000

/** Which changes are shown. */
export interface ActivityFilter {
  readonly kind: keyof typeof kinds | 'any'
  /** The id of a user or an API client, or the type of an actor without an id. */
  readonly actor: string
  readonly days: (typeof periods)[number]
}

export const everyChange: ActivityFilter = { kind: 'any', actor: 'any', days: 'any' }

/** Actors without an id: the API filters by ids. */
const withoutId = ['gateway', 'operator', 'system']

/** The part of a filter that the API knows, as its query. */
export function changeQuery({ actor, days }: ActivityFilter, now: number) {
  return {
    ...(actor !== 'any' && !withoutId.includes(actor) && { actor_id: actor }),
    ...(days !== 'any' && { from: new Date(now - Number(days) * DAY_MS).toISOString() }),
  }
}

/** What `readMatching` needs to find the changes of a filter. */
export function changesMatching({ kind, actor, days }: ActivityFilter, now: number) {
  const shown: readonly (OrganizationPage | undefined)[] = kind === 'any' ? [] : kinds[kind]
  const from = days === 'any' ? Number.NEGATIVE_INFINITY : now - Number(days) * DAY_MS
  return {
    matches: (entry: AuditEntry) =>
      (kind === 'any' || shown.includes(pageOf(entry))) &&
      (actor === 'any' || (entry.actor.id ?? entry.actor.type) === actor),
    isPast: ({ at }: AuditEntry) => Date.parse(at) < from,
  }
}
