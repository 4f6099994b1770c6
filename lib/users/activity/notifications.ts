import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import { described, laxBoolean, named } from '../../http/schema.ts'
import type { Accounts, MailSettings } from '../ports.ts'

const meaning = 'Whether each sign-in in a new browser is mailed; true unless the user switched it off'

/** Which mails a user wants, in the API. */
export const notificationsResource = named(
  'Notifications',
  z.strictObject({ sign_in_mails: described(meaning, z.boolean()) }),
)

/** A change of it. */
export const notificationsUpdate = z.object({ sign_in_mails: described(meaning, z.optional(laxBoolean())) })

interface NotificationDeps {
  readonly accounts: Pick<Accounts, 'findCaller'>
  readonly mailSettings: Pick<MailSettings, 'setSignInMails'>
}

/**
 * Which mails the caller wants.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function readNotifications(
  { accounts }: Pick<NotificationDeps, 'accounts'>,
  caller: Caller,
): Promise<z.infer<typeof notificationsResource>> {
  const { signInMails = true } = await accounts.findCaller(caller)
  return { sign_in_mails: signInMails }
}

/**
 * Changes which mails the caller wants. `{}` changes nothing.
 * @throws CommonError `invalid_token`; `service_unavailable`, also if the account changes at the same time
 */
export async function changeNotifications(
  deps: NotificationDeps,
  caller: Caller,
  { sign_in_mails }: z.infer<typeof notificationsUpdate>,
): Promise<z.infer<typeof notificationsResource>> {
  const current = await readNotifications(deps, caller)
  if (sign_in_mails === undefined || sign_in_mails === current.sign_in_mails) return current
  if ((await deps.mailSettings.setSignInMails(caller, sign_in_mails)) === 'conflict')
    throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
  return { sign_in_mails }
}
