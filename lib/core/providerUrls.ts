import type { OrganizationId } from './ids.ts'

/** Where OpenID providers send browsers back to, and where a new identity gets its account. */
export const CALLBACK_PATH = '/api/sso/callback'

/**
 * The redirect URI to register at providers.
 * @param issuer of this service, as below
 */
export function callbackUrl(issuer: string): string {
  return issuer + CALLBACK_PATH
}

/** Where the provider of a company sends its logout tokens to. */
export function backchannelLogoutUrl(issuer: string, organizationId: OrganizationId): string {
  return `${issuer}/api/sso/backchannel-logout/${organizationId}`
}
