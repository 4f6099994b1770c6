import { createArgon2idPasswords } from '../../lib/adapters/passwords/argon2idPasswords.ts'

/** The service's own hashes, past its log. */
export const argon2idPasswords = createArgon2idPasswords({
  logger: { info: () => {}, warn: () => {}, error: () => {} },
})
