import * as z from 'zod'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import type { LocalClient } from '../localClient.ts'

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
