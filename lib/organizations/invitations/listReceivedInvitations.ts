import * as z from 'zod/mini'
import { type Clock, toRfc3339 } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import { described, named, nextCursor } from '../../http/schema.ts'
import type { Users } from '../../users/ports.ts'
import { type Invitations, type Profiles, type ReceivedInvitation, roleSchema } from '../ports.ts'
import { invitationIdOf } from './invitationDigests.ts'

/** An invitation as the invited user sees it. */
const receivedInvitationResource = named(
  'ReceivedInvitation',
  z.strictObject({
    id: described('For accepting or declining it', z.string()),
    organization: described(
      'The organization that invites the user',
      z.strictObject({
        id: described('The organization’s id', z.uuid()),
        name: described('The organization’s name', z.string()),
      }),
    ),
    role: described('The role of the person who accepts it', roleSchema),
    invited_by: described('The username of the owner who sent it', z.string()),
    expires_at: described('Until when it can be accepted', z.iso.datetime()),
  }),
)

export const receivedInvitationList = z.strictObject({
  invitations: described('The invitations, the latest first', z.array(receivedInvitationResource)),
  next_cursor: nextCursor,
})

interface ListDeps {
  readonly invitations: Pick<Invitations, 'listReceived'>
  readonly users: Pick<Users, 'findCaller'>
  readonly profiles: Profiles
  readonly clock: Clock
}

/** A page of invitations with the usernames of their senders. */
interface ReceivedPage {
  readonly invitations: readonly (ReceivedInvitation & { readonly inviter: string })[]
  readonly next: string | undefined
}

/**
 * The open invitations to the user's verified address, the latest first; none while the address is not verified. Leaves out organizations
 * of which the user is a member.
 * @param page `after`: the end of the previous page
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listReceivedInvitations(
  { invitations, users, profiles, clock }: ListDeps,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<ReceivedPage> {
  const user = await users.findCaller(caller)
  if (!user.isVerified) return { invitations: [], next: undefined }
  const to = { id: invitationIdOf(user.email), userId: caller.userId }
  const { received, next } = await invitations.listReceived(to, { ...page, now: clock.now() })
  const senders = await profiles.find([...new Set(received.map(({ invitation }) => invitation.invitedBy))])
  return {
    invitations: received.flatMap((one) => {
      const inviter = senders.get(one.invitation.invitedBy)?.username
      return inviter === undefined ? [] : [{ ...one, inviter }]
    }),
    next,
  }
}

/** Maps a page to the API's object; `toCursor` makes the cursor of the next page. */
export function toReceivedInvitationList(
  { invitations, next }: ReceivedPage,
  toCursor: (position: string | undefined) => string | null,
): z.infer<typeof receivedInvitationList> {
  const toResource = ({ invitation, organization, inviter }: ReceivedPage['invitations'][number]) => ({
    id: invitation.tokenDigest,
    organization: { id: organization.id, name: organization.name },
    role: invitation.role,
    invited_by: inviter,
    expires_at: toRfc3339(invitation.validUntil),
  })
  return { invitations: invitations.map(toResource), next_cursor: toCursor(next) }
}
