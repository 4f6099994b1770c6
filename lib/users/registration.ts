import type { User } from './ports.ts'

/** How long a registration waits for a proof of its address, in milliseconds: 7 days. */
const REGISTRATION_MS = 7 * 24 * 60 * 60 * 1000

/** When a registration from `createdAt` ends and frees its username, in Unix milliseconds. */
export function registrationEnd({ createdAt }: Pick<User, 'createdAt'>): number {
  return createdAt + REGISTRATION_MS
}

/** Whether a user has not proved the address in time. Such a user does not exist, even if it is not deleted yet. */
export function isExpiredRegistration(user: User, now: number): boolean {
  return !user.isVerified && now >= registrationEnd(user)
}
