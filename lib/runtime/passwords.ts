import { createArgon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import { checkBeforeTraffic } from '../http/endpoint/releaseCheck.ts'
import { logger } from './logger.ts'

/** Shared by the whole process, which limits how many hashes it makes at once. */
export const passwords = createArgon2idPasswords({ logger })

// Only a hash shows whether the runtime can make one.
checkBeforeTraffic(() => passwords.hash('check before traffic'))
