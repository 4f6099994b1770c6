import type { LocalClient } from '../localClient.ts'
import { provenDomain } from './sampleDomains.ts'

/** The emulated provider as the provider of a company. */
export function sampleIssuer({ info }: Pick<LocalClient, 'info'>): string {
  return `${info.base_url}/_local/provider`
}

/** Creates an organization of the demo's owner, with a verified domain. Returns its id. */
export async function verifiedOrganization(client: LocalClient): Promise<string> {
  const organizationId = await client.newOrganization()
  const { id } = await provenDomain(client, organizationId)
  const path = `/api/organizations/${organizationId}/domains/${id}/verify`
  const { status } = await client.send({ method: 'POST', path, token: await client.accessToken('owner') })
  if (status !== 200) throw new Error(`the verification of a domain answered ${status}`)
  return organizationId
}

/** The same, with a single sign-on that is not enforced: that of the emulated provider, unless you register another. */
export async function signOnOrganization(
  client: LocalClient,
  registration = { issuer: sampleIssuer(client), client_id: 'sample', client_secret: 'sample-secret' },
): Promise<string> {
  const organizationId = await verifiedOrganization(client)
  const { status } = await client.send({
    method: 'PUT',
    path: `/api/organizations/${organizationId}/sso`,
    token: await client.accessToken('owner'),
    body: { type: 'oidc', ...registration },
  })
  if (status !== 200) throw new Error(`the single sign-on answered ${status}`)
  return organizationId
}

/** A logout token of that provider for a person without an account, for the client of `signOnOrganization`. */
export async function sampleLogoutToken(client: Pick<LocalClient, 'info'>): Promise<string> {
  const answer = await fetch(`${sampleIssuer(client)}/logout-token?sub=unknown-person&aud=sample`)
  return answer.text()
}
