import * as z from 'zod'
import type { LocalClient } from '../localClient.ts'
import { tokenMailedTo } from './sampleAccounts.ts'

const answer = z.object({ id: z.string() })
const received = z.object({
  invitations: z.array(z.object({ id: z.string(), organization: z.object({ id: z.string() }) })),
})

/** A pending invitation, with its mailed token. */
interface SampleInvitation {
  readonly id: string
  readonly token: string
}

/** Invites the demo's stranger as the demo's owner. The role defaults to `member`. */
export function inviteStranger(
  client: LocalClient,
  { organizationId, role = 'member' }: { organizationId: string; role?: string },
): Promise<SampleInvitation> {
  return invite(client, { organizationId, role, email: client.info.demo.stranger.email })
}

/** Invites an address as the demo's owner. The role defaults to `member`. */
export async function invite(
  client: LocalClient,
  { organizationId, email, role = 'member' }: { organizationId: string; email: string; role?: string },
): Promise<SampleInvitation> {
  const path = `/api/organizations/${organizationId}/invitations`
  const token = (await client.signIn('owner')).access_token
  const { body } = await client.send({ method: 'POST', path, token, body: { email, role } })
  return { id: answer.parse(body).id, token: await tokenMailedTo(client, email) }
}

/** Invites the demo's stranger to an organization; the id of the invitation in the stranger's own list. */
export async function receivedInvitation(client: LocalClient, organizationId: string): Promise<string> {
  await inviteStranger(client, { organizationId })
  const token = (await client.signIn('stranger')).access_token
  const { status, body } = await client.send({ method: 'GET', path: '/api/users/me/invitations', token })
  if (status !== 200) throw new Error(`the invitations were answered ${status}: ${JSON.stringify(body)}`)
  return received.parse(body).invitations.find(({ organization }) => organization.id === organizationId)?.id ?? ''
}
