import * as z from 'zod'
import type { LocalClient } from './localClient.ts'
import { tokenMailedTo } from './sampleAccounts.ts'

const answer = z.object({ id: z.string() })

/** An invitation that can be accepted: its id, and the token of its mail. */
export interface NewInvitation {
  readonly id: string
  readonly token: string
}

/** The demo's owner invites the demo's stranger, as a member or in the role given. */
export async function invite(
  client: LocalClient,
  { organizationId, role = 'member' }: { organizationId: string; role?: string },
): Promise<NewInvitation> {
  const { email } = client.info.demo.stranger
  const path = `/api/organizations/${organizationId}/invitations`
  const token = (await client.signIn('owner')).access_token
  const { body } = await client.send({ method: 'POST', path, token, body: { email, role } })
  return { id: answer.parse(body).id, token: await tokenMailedTo(client, email) }
}
