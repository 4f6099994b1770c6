import type { OrganizationId, UserId } from '../core/ids.ts'

/** The path of the security page. */
export const SECURITY_PATH = '/api/account/security'

/** The query of the page on which an owner approves the reset of a member's second factors. It contains no secret: the owner signs in. */
export function approvalQuery(request: { organizationId: OrganizationId; userId: UserId }): string {
  const parameters = { view: 'reset', organization_id: request.organizationId, user_id: request.userId }
  return new URLSearchParams(parameters).toString()
}

/**
 * The URL of the security page.
 * @param baseUrl base URL of the API, with or without a trailing slash
 */
export function securityUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${SECURITY_PATH}`
}

/**
 * The URL of the page for approval.
 * @param baseUrl as above
 */
export function approvalUrl(baseUrl: string, request: { organizationId: OrganizationId; userId: UserId }): string {
  return `${securityUrl(baseUrl)}?${approvalQuery(request)}`
}
