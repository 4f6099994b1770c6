import { emailKey } from './emailKey.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'

/**
 * Counts a request that sends a mail, for its source IP and for the email address that it goes to, known or not.
 * @throws TooManyAttemptsError
 */
export async function throttleMail(deps: ThrottleDeps, to: { email: string; sourceIp: string }): Promise<void> {
  await throttle(deps, { kind: 'mail_source_ip', subject: to.sourceIp })
  await throttle(deps, { kind: 'mail', subject: emailKey(to.email) })
}
