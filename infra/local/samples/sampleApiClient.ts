import * as z from 'zod'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import type { LocalClient } from '../localClient.ts'

const issued = z.object({ access_token: z.string() })

const answer = z.object({ id: z.string(), client_id: z.string(), client_secret: z.string() })

/** Creates an API client of an organization that the demo's owner owns. `scopes` defaults to all. */
export async function apiClient(
  client: LocalClient,
  organizationId: string,
  scopes: readonly string[] = resourceScopes,
): Promise<z.output<typeof answer>> {
  const path = `/api/organizations/${organizationId}/api-clients`
  const body = { name: 'Nightly export', scopes }
  const token = await client.accessToken('owner')
  return answer.parse((await client.send({ method: 'POST', path, token, body })).body)
}

/** An access token of the demo's service client. `scope` defaults to all that it may have. */
export async function serviceToken(client: LocalClient, scope?: string): Promise<string> {
  const { service_client_id: client_id, service_client_secret: client_secret } = client.info.demo
  const body = { grant_type: 'client_credentials', client_id, client_secret, ...(scope !== undefined && { scope }) }
  return issued.parse((await client.send({ method: 'POST', path: '/api/oauth/token', body })).body).access_token
}
