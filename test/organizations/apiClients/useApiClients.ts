import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { DemoUser } from '../../../infra/data/demo.ts'
import { useBillingStack } from '../../support/billingStack.ts'

export const created = z.object({
  id: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  previous_secret_valid_until: z.string().nullable(),
})
export type Credentials = Pick<z.output<typeof created>, 'client_id' | 'client_secret'>

const tokenAnswer = z.object({ access_token: z.string() })

/** Requests about API clients to one stack. */
export function useApiClients() {
  const bed = useBillingStack()
  const api = () => bed.stack.client

  /** Sends a request as a demo user, or with an access token. */
  async function send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    by: DemoUser | { token: string },
    body?: unknown,
  ) {
    const token = typeof by === 'string' ? await api().accessToken(by) : by.token
    return api().sendForHeaders({ method, path, token, body })
  }

  const pathOf = (organizationId: string) => `/api/organizations/${organizationId}/api-clients`

  async function create(organizationId: string, scopes: readonly string[]) {
    const { body } = await send('POST', pathOf(organizationId), 'owner', { name: 'Nightly export', scopes })
    return created.parse(body)
  }

  function requestToken({ client_id, client_secret }: Credentials, more: Record<string, string> = {}) {
    const body = { client_id, client_secret, grant_type: 'client_credentials', ...more }
    return api().send({ method: 'POST', path: '/api/oauth/token', body })
  }

  const tokenOf = async (credentials: Credentials) =>
    tokenAnswer.parse((await requestToken(credentials)).body).access_token

  /** A new organization with an API client of these scopes, and its access token. */
  async function open(scopes: readonly string[]) {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, scopes)
    return { organizationId, client, token: await tokenOf(client) }
  }

  /** Every stored item of the service, as JSON. */
  async function allStored(): Promise<string> {
    const found = await Promise.all(
      Object.values(api().info.tables).map((TableName) =>
        bed.stack.documents.send(new ScanCommand({ TableName, ConsistentRead: true })),
      ),
    )
    return JSON.stringify(found.map(({ Items }) => Items))
  }

  return { bed, api, send, pathOf, create, requestToken, tokenOf, open, allStored }
}
