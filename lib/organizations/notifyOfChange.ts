import type { Branding } from '../core/branding.ts'
import type { UserId } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import { applicationLink } from '../mail/applicationLink.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { nameInMail } from '../mail/nameInMail.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { shortMail } from '../mail/shortMail.ts'
import { texts } from '../texts/texts.ts'
import { type MailBudgetDeps, notifyOthers } from '../users/mailBudget.ts'
import type { Organization, Organizations, Profile, Profiles } from './ports.ts'

export interface NotifyOfChangeDeps extends MailBudgetDeps {
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly profiles: Profiles
  readonly mailer: Pick<Mailer, 'send'>
  readonly logger: Pick<Logger, 'info' | 'error'>
  readonly branding: Branding
}

export type MemberChangeKind = 'owner' | 'deposed' | 'removed' | 'left' | 'transferred' | 'joined'

/** A change of who has power in an organization, made by `actor`. */
export type PowerChange = { readonly organization: Pick<Organization, 'id' | 'name'>; readonly actor: UserId } & (
  | { readonly kind: MemberChangeKind; readonly member: UserId }
  | { readonly kind: 'created' | 'rotated' | 'deleted'; readonly apiClient: string }
)

/**
 * Mails the member, first, and the owners about a change that was made, each in their own language, as far as the
 * actor's budget goes. The actor gets no mail. Never throws.
 */
export function notifyOfChange(deps: NotifyOfChangeDeps, change: PowerChange): Promise<void> {
  return notifyOthers(deps, change.actor, writeMails(deps, change))
}

async function writeMails(deps: NotifyOfChangeDeps, change: PowerChange): Promise<Mail[]> {
  const { organization, actor } = change
  const { members } = await deps.organizations.readMembers(organization.id)
  const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)
  const concerned = 'member' in change ? [change.member] : []
  // Who joined knows it.
  const knows = change.kind === 'joined' ? [actor, change.member] : [actor]
  const recipients = [...new Set([...concerned, ...owners])].filter((userId) => !knows.includes(userId))
  if (recipients.length === 0) return []
  const profiles = await deps.profiles.find([...new Set([actor, ...concerned, ...recipients])])
  const { language: fallback = 'en' } = profiles.get(actor) ?? {}
  return recipients.flatMap((userId) => {
    const recipient = profiles.get(userId)
    if (recipient === undefined) return []
    const look = { branding: deps.branding, language: recipient.language ?? fallback }
    return [mailFor(look, { userId, ...recipient }, { change, profiles })]
  })
}

type Ownership = Exclude<keyof (typeof texts)['en']['mails']['ownership'], 'unexpected'>

/** What a change is to its member. */
const ownershipOf: Partial<Record<MemberChangeKind, Ownership>> = {
  owner: 'owner',
  transferred: 'owner',
  deposed: 'deposed',
  removed: 'removed',
}

function mailFor(
  look: MailLook,
  recipient: Profile & { readonly userId: UserId },
  { change, profiles }: { change: PowerChange; profiles: ReadonlyMap<UserId, Profile> },
): Mail {
  const { mails, next } = texts[look.language]
  const { organization } = change
  const nameOf = (userId: UserId) => nameInMail(profiles.get(userId)?.username ?? '…')
  const [actor, name] = [nameOf(change.actor), nameInMail(organization.name)]
  const isGone = 'member' in change && change.kind === 'removed' && recipient.userId === change.member
  const link = isGone ? look.branding.applicationUrl : applicationLink(look.branding, organization.id)
  const options = { to: recipient.email, action: { label: next.openApplication(look.branding.name), link } }
  if (!('member' in change)) {
    const { subject, unexpected, ...wordsOf } = mails.apiClientChanged
    const text = wordsOf[change.kind](actor, nameInMail(change.apiClient), name)
    return shortMail(look, { subject, text, unexpected }, options)
  }
  const own = recipient.userId === change.member ? ownershipOf[change.kind] : undefined
  if (own !== undefined) {
    const { subject, text } = mails.ownership[own]
    return shortMail(look, { subject, text: text(actor, name), unexpected: mails.ownership.unexpected }, options)
  }
  const { subject, unexpected, ...wordsOf } = mails.ownersChanged
  return shortMail(
    look,
    { subject, text: wordsOf[change.kind](actor, nameOf(change.member), name), unexpected },
    options,
  )
}
