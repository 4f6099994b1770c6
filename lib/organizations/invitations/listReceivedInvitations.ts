import * as z from 'zod/mini'
import { type Clock, toRfc3339 } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import { described, named, nextCursor } from '../../http/schema.ts'
import type { Users } from '../../users/ports.ts'
import { findOffer, offerIdOf } from '../domains/joinByDomain.ts'
import type { DomainMembers, DomainOffer } from '../domains/ports.ts'
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
    invited_by: described(
      'The username of the owner who sent it; null if the user’s domain is the organization’s',
      z.nullable(z.string()),
    ),
    expires_at: described('Until when it can be accepted; null if it has no end', z.nullable(z.iso.datetime())),
  }),
)

export const receivedInvitationList = z.strictObject({
  invitations: described('The invitations, the latest first', z.array(receivedInvitationResource)),
  next_cursor: nextCursor,
})

/** A position before every invitation. */
const FIRST_INVITATION = '~'

interface ListDeps {
  readonly invitations: Pick<Invitations, 'listReceived'>
  readonly users: Pick<Users, 'findCaller'>
  readonly profiles: Profiles
  readonly domainMembers: DomainMembers
  readonly clock: Clock
}

/** A page of invitations with the usernames of their senders, after the organization that takes people of the user's domain. */
interface ReceivedPage {
  readonly offer?: DomainOffer | undefined
  readonly invitations: readonly (ReceivedInvitation & { readonly inviter: string })[]
  readonly next: string | undefined
}

/**
 * The open invitations to the user's verified address, the latest first; none while the address is not verified. Leaves out organizations
 * of which the user is a member. The first page begins with the organization whose domain is the user's, if it takes people.
 * @param page `after`: the end of the previous page
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listReceivedInvitations(
  { invitations, users, profiles, domainMembers, clock }: ListDeps,
  caller: Caller,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ReceivedPage> {
  const user = await users.findCaller(caller)
  if (!user.isVerified) return { invitations: [], next: undefined }
  const to = { id: invitationIdOf(user.email), userId: caller.userId }
  const offer = after === undefined ? await findOffer({ domainMembers }, { ...caller, email: user.email }) : undefined
  if (offer !== undefined && limit === 1) return { offer, invitations: [], next: FIRST_INVITATION }
  const page = { limit: offer === undefined ? limit : limit - 1, after, now: clock.now() }
  const { received, next } = await invitations.listReceived(to, page)
  const senders = await profiles.find([...new Set(received.map(({ invitation }) => invitation.invitedBy))])
  return {
    offer,
    invitations: received.flatMap((one) => {
      const inviter = senders.get(one.invitation.invitedBy)?.username
      return inviter === undefined ? [] : [{ ...one, inviter }]
    }),
    next,
  }
}

/** Maps a page to the API's object; `toCursor` makes the cursor of the next page. */
export function toReceivedInvitationList(
  { offer, invitations, next }: ReceivedPage,
  toCursor: (position: string | undefined) => string | null,
): z.infer<typeof receivedInvitationList> {
  const toResource = ({ invitation, organization, inviter }: ReceivedPage['invitations'][number]) => ({
    id: invitation.tokenDigest,
    organization: { id: organization.id, name: organization.name },
    role: invitation.role,
    invited_by: inviter,
    expires_at: toRfc3339(invitation.validUntil),
  })
  const offers = offer === undefined ? [] : [toOfferResource(offer)]
  return { invitations: [...offers, ...invitations.map(toResource)], next_cursor: toCursor(next) }
}

function toOfferResource(offer: DomainOffer): z.infer<typeof receivedInvitationResource> {
  const { id, name } = offer.organization
  return { id: offerIdOf(offer), organization: { id, name }, role: 'member', invited_by: null, expires_at: null }
}
