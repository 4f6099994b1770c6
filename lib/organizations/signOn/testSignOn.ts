import type { RequestFault } from '../../core/requestFault.ts'
import type { OpenIdClient } from '../../signIn/ports.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { openSignOn, type SignOnDeps } from './signOnDeps.ts'

export interface TestSignOnDeps extends SignOnDeps {
  readonly openId: Pick<OpenIdClient, 'discover'>
}

/**
 * Asks the provider of an organization for its metadata, as a sign-in does first. Redirects are not followed. The client and its secret are
 * not checked: only a sign-in shows them.
 * @returns why a sign-in would fail now; undefined if the provider answers as it must
 * @throws OrganizationError `organization_not_found`, `forbidden`, `sso_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export async function testSignOn(
  deps: TestSignOnDeps,
  request: OrganizationRequest,
): Promise<RequestFault | undefined> {
  const { issuer } = await openSignOn(deps, request)
  const found = await deps.openId.discover(issuer)
  return found.kind === 'found' ? undefined : found.fault
}
