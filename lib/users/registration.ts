import type { User } from './ports.ts'

/** How long a registration waits for a proof of its address, in milliseconds: 7 days. */
const REGISTRATION_MS = 7 * 24 * 60 * 60 * 1000

/** When a registration made at `createdAt` ends, and its username is free, in Unix milliseconds. */
export function registrationEnd({ createdAt }: Pick<User, 'createdAt'>): number {
  return createdAt + REGISTRATION_MS
}

/** Whether a user never proved the address, and has no time left to. Such a user does not exist, deleted yet or not. */
export function isExpiredRegistration(user: User, now: number): boolean {
  return !user.isVerified && now >= registrationEnd(user)
}
