import type { Branding } from '../../core/branding.ts'
import type { Ids } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { accountLinkUrl } from '../../mail/accountLinkUrl.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import { type MailLook, renderMail } from '../../mail/renderMail.ts'
import { texts } from '../../texts/texts.ts'
import { emailKey } from '../../users/emailKey.ts'
import { type MailBudgetDeps, spendMail, trySpendMail } from '../../users/mailBudget.ts'
import type { User, Users } from '../../users/ports.ts'
import { entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Invitation, Invitations, Organizations, OwnOrganization, Role } from '../ports.ts'
import { requireVerified } from '../requireVerifiedUser.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { digestInvitationToken, invitationIdOf } from './invitationDigests.ts'

const VALID_MINUTES = 7 * 24 * 60

export interface InviteDeps extends MailBudgetDeps {
  organizations: Pick<Organizations, 'read'>
  invitations: Pick<Invitations, 'findCurrent' | 'put'>
  users: Pick<Users, 'find'>
  mailer: Mailer
  ids: Pick<Ids, 'secret' | 'uuid'>
  /** Base URL of the API, for the link in the mail. */
  accountUrl: string
  branding: Branding
}

/**
 * Invites an email address and voids an earlier invitation to it. Does not check whether the address has an account, so neither the answer
 * nor its time reveals that. A repeated request sends another mail; only its link is valid then. If other organizations have used up the
 * mails of the address, the invitation is kept and its mail dropped: the answer is the same, and the invited user finds it in their list.
 * @param request `email` validated by `emailSchema`; `language` of the mail
 * @throws OrganizationError `organization_not_found`, `forbidden`, `email_not_verified` (the caller's); TooManyAttemptsError if the
 *   organization, alone or to this address, or the user has used up its mails: nothing is written; CommonError `invalid_token`;
 *   `service_unavailable` if the mail may not have been sent
 */
export function inviteMember(
  deps: InviteDeps,
  request: InvitingRequest & { email: string; role: Role },
): Promise<Invitation> {
  const { email, role } = request
  const id = invitationIdOf(email)
  return sendInvitation(deps, request, async () => ({ id, email, role, action: 'member.invited' }))
}

/**
 * Sends an invitation again as `inviteMember` does: the earlier link is void, and the new link works for 7 days. An expired invitation can
 * be sent again too.
 * @throws as `inviteMember`; OrganizationError `invitation_not_found` if it was used, revoked or declined
 */
export function resendInvitation(
  deps: InviteDeps,
  request: InvitingRequest & { invitationId: string },
): Promise<Invitation> {
  const { organizationId, invitationId } = request
  return sendInvitation(deps, request, async () => {
    const instead = await deps.invitations.findCurrent(organizationId, invitationId)
    if (instead === undefined) throw new OrganizationError('invitation_not_found')
    const { id, email, role } = instead
    return { id, email, role, action: 'invitation.resent', instead }
  })
}

/** A request that sends a mail in this language. */
type InvitingRequest = OrganizationRequest & { readonly language: Language }

/** Who is invited, and the invitation that this one must still find in its place. */
interface Invited extends Pick<Invitation, 'id' | 'email' | 'role'> {
  readonly action: 'member.invited' | 'invitation.resent'
  readonly instead?: Invitation
}

/** @param readInvited runs once the caller may invite, and again after a conflict */
async function sendInvitation(
  deps: InviteDeps,
  request: InvitingRequest,
  readInvited: () => Promise<Invited>,
): Promise<Invitation> {
  const { organizationId, caller, language } = request
  const { invitations, mailer, ids, clock, accountUrl, branding } = deps
  const token = ids.secret()
  let spending: Promise<'mailed' | 'dropped'> | undefined
  const { organization, inviter, invitation, mail } = await retryOnConflict(async () => {
    const own = await requireInviter(deps, request)
    const { id, email, role, action, instead } = await readInvited()
    spending ??= spendInvitation(deps, { ...request, email })
    const mail = await spending
    const fresh = digestInvitationToken(token)
    const invitation: Invitation = {
      organizationId,
      id,
      email,
      role,
      tokenDigest:
        mail === 'mailed' ? fresh : ((await invitations.findCurrent(organizationId, id))?.tokenDigest ?? fresh),
      invitedBy: caller.userId,
      validUntil: clock.now() + VALID_MINUTES * 60_000,
    }
    const entry = entryBy(deps, request, { action, target: id, detail: { role } })
    const outcome = await invitations.put(invitation, caller, entry, instead)
    return outcome === 'written' ? { ...own, invitation, mail } : outcome
  })
  const message = invitationMail(
    { branding, language },
    {
      to: invitation.email,
      organization: organization.name,
      invitedBy: inviter.username,
      role: invitation.role,
      link: accountLinkUrl(accountUrl, 'invitation', token),
      expiresInMinutes: VALID_MINUTES,
    },
  )
  await (mail === 'mailed' ? mailer.send(message) : mailer.discard(message))
  return invitation
}

/**
 * Spends the mail of an invitation. What an organization or a user sends too much is refused. What all organizations together send to an
 * address too much is `dropped`: a refusal would show that others invite the address, and let them block its invitations.
 */
async function spendInvitation(
  deps: MailBudgetDeps,
  { organizationId, caller, email }: OrganizationRequest & { email: string },
): Promise<'mailed' | 'dropped'> {
  const address = emailKey(email)
  await spendMail(deps, [
    { kind: 'invitation_by_organization', subject: organizationId },
    { kind: 'invitation_by_user', subject: caller.userId },
    { kind: 'invitation_by_organization_to_address', subject: `${organizationId} ${address}` },
  ])
  const outcome = await trySpendMail(deps, { kind: 'invitation', subject: address })
  return outcome.kind === 'spent' ? 'mailed' : 'dropped'
}

/** The content of an invitation. */
interface InvitationMail {
  readonly to: string
  /** The organization's name, unescaped. */
  readonly organization: string
  /** The inviter's username. */
  readonly invitedBy: string
  readonly role: Role
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To an address invited to an organization, with or without an account. Its subject has no words that a sender chose. */
export function invitationMail(
  look: MailLook,
  { to, organization, invitedBy, role, link, expiresInMinutes }: InvitationMail,
): Mail {
  const { subject, text, noAccountNeeded, action, once, unexpected } = texts[look.language].mails.invitation
  const name = nameInMail(organization)
  return renderMail(look, {
    to,
    subject,
    paragraphs: [text(nameInMail(invitedBy), name, role), noAccountNeeded],
    action: { label: action, link },
    notes: [once(expiresInMinutes), unexpected],
  })
}

/**
 * Returns the organization and the inviter: an owner with a verified email address.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `email_not_verified`, `organization_deleting`; CommonError
 *   `invalid_token`
 */
export async function requireInviter(
  { organizations, users }: { organizations: Pick<Organizations, 'read'>; users: Pick<Users, 'find'> },
  request: OrganizationRequest,
): Promise<OwnOrganization & { inviter: User }> {
  const own = await readAuthorized(organizations, request, 'manage organization')
  if (own.organization.deletion) throw new OrganizationError('organization_deleting')
  return { ...own, inviter: requireVerified(await users.find(request.caller.userId)) }
}
