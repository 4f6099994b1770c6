import * as z from 'zod'
import type { LocalClient } from '../localClient.ts'

const withId = z.object({ id: z.string() })
const answer = z.object({ id: z.string(), secret: z.string() })

/** An address of the local stack that resolves without a name server; nothing listens there. */
export const webhookUrl = 'https://hooks.localhost/console'

/** Creates a webhook endpoint of an organization that the demo's owner owns. */
export async function webhookEndpoint(
  client: LocalClient,
  organizationId: string,
  url = webhookUrl,
): Promise<z.output<typeof answer>> {
  const path = `/api/organizations/${organizationId}/webhook-endpoints`
  const token = await client.accessToken('owner')
  return answer.parse((await client.send({ method: 'POST', path, token, body: { url } })).body)
}

/** Tests a webhook endpoint. Returns the id of the delivery. */
export async function webhookDelivery(
  client: LocalClient,
  organizationId: string,
  endpointId: string,
): Promise<string> {
  const path = `/api/organizations/${organizationId}/webhook-endpoints/${endpointId}/test`
  const token = await client.accessToken('owner')
  return withId.parse((await client.send({ method: 'POST', path, token })).body).id
}
