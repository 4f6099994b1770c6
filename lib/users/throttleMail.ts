import { emailKey } from './emailKey.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'

/**
 * Counts a request that sends a mail, for the address that it comes from and for the one that it goes to, known or not.
 * @throws TooManyAttemptsError
 */
export async function throttleMail(deps: ThrottleDeps, to: { email: string; address: string }): Promise<void> {
  await throttle(deps, { kind: 'mail_address', subject: to.address })
  await throttle(deps, { kind: 'mail', subject: emailKey(to.email) })
}
