/** The pages of an organization, in the order of the menu. */
export const organizationPages = [
  'overview',
  'products',
  'cards',
  'invoices',
  'details',
  'members',
  'sign-in-rules',
  'domains',
  'sso',
  'api-clients',
  'webhooks',
  'activity',
  'settings',
] as const

export type OrganizationPage = (typeof organizationPages)[number]

/** The page that an address of the console shows. */
export type Route =
  | {
      readonly page:
        | 'organizations'
        | 'new-organization'
        | 'profile'
        | 'security'
        | 'account-activity'
        | 'callback'
        | 'unknown'
    }
  | { readonly page: OrganizationPage; readonly organizationId: string }

/** The route of an address, from its path below the console's base: `organizations/<id>/cards`. */
export function routeOf(path: string): Route {
  const [first = '', second, third = 'overview', ...more] = path.split('/').filter((part) => part !== '')
  if (more.length > 0) return { page: 'unknown' }
  if (first === '') return { page: 'organizations' }
  if (first === 'organizations' && second === 'new') return { page: 'new-organization' }
  if (first === 'organizations') {
    const page = organizationPages.find((name) => name === third)
    if (second === undefined) return { page: 'organizations' }
    return page === undefined ? { page: 'unknown' } : { page, organizationId: second }
  }
  const own = (['profile', 'security', 'callback'] as const).find((name) => name === first)
  if (own !== undefined && second === undefined) return { page: own }
  if (first === 'activity' && second === undefined) return { page: 'account-activity' }
  return { page: 'unknown' }
}

/**
 * The route that an address names with a query: hosted pages and mails lead to `?organization_id=<id>`, some with `&page=cards`.
 * Undefined if an address has no route.
 */
export function routeOfQuery(query: string): Route | undefined {
  const parameters = new URLSearchParams(query)
  const organizationId = parameters.get('organization_id')
  const page = organizationPages.find((name) => name === parameters.get('page')) ?? 'overview'
  return organizationId ? { page, organizationId } : undefined
}

/** The path of a route, below the console's base. */
export function pathOf(route: Route): string {
  if ('organizationId' in route) {
    const { page, organizationId } = route
    return page === 'overview' ? `organizations/${organizationId}` : `organizations/${organizationId}/${page}`
  }
  if (route.page === 'new-organization') return 'organizations/new'
  if (route.page === 'account-activity') return 'activity'
  return route.page === 'organizations' || route.page === 'unknown' ? '' : route.page
}
