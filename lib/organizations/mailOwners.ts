import type { Branding } from '../core/branding.ts'
import { reasonOf } from '../core/errors.ts'
import type { OrganizationId } from '../core/ids.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import type { MailLook } from '../mail/renderMail.ts'
import type { Organizations, Profiles } from './ports.ts'

export interface MailOwnersDeps {
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly profiles: Profiles
  readonly mailer: Pick<Mailer, 'send'>
  readonly branding: Branding
}

/**
 * Mails each owner of an organization, in their language, about what this service did on its own.
 * @throws Error if no mail was accepted; CommonError `service_unavailable`
 */
export async function mailOwners(
  { organizations, profiles, mailer, branding }: MailOwnersDeps,
  organizationId: OrganizationId,
  write: (look: MailLook, to: string) => Mail,
): Promise<void> {
  const { members } = await organizations.readMembers(organizationId)
  const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId)
  const found = [...(await profiles.find(owners)).values()]
  const results = await Promise.allSettled(
    found.map(({ email, language = 'en' }) => mailer.send(write({ branding, language }, email))),
  )
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []))
  if (failures.length > 0 && failures.length === results.length) throw new Error(failures[0])
}
