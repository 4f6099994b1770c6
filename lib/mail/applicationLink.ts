import type { Branding } from '../core/branding.ts'
import type { OrganizationId } from '../core/ids.ts'

/**
 * The URL of an organization in the application.
 * @param page the application's page, such as `cards`; the organization's first page if left out
 */
export function applicationLink(
  { applicationUrl }: Pick<Branding, 'applicationUrl'>,
  organizationId: OrganizationId,
  page?: 'cards' | 'invoices',
): string {
  const link = new URL(applicationUrl)
  link.searchParams.set('organization_id', organizationId)
  if (page !== undefined) link.searchParams.set('page', page)
  return link.href
}
