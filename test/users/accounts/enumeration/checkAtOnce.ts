import { argon2idPasswords } from '../../../support/argon2idPasswords.ts'

/** Checks a password 200 times at once; prints how these ended, and how much memory the process took for them at most, in MiB. */
const AT_ONCE = 200

// What the process is beside its hashes differs with the machine and with how it was started.
const before = process.resourceUsage().maxRSS
const hash = await argon2idPasswords.hash('staple-battery-4c1d')
const ended = await Promise.allSettled(
  Array.from({ length: AT_ONCE }, () => argon2idPasswords.check('guessed-password', hash)),
)
const refusals = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
const after = await argon2idPasswords.check('staple-battery-4c1d', hash)
console.log(
  JSON.stringify({
    checked: ended.length - refusals.length,
    codes: [...new Set(refusals.map(({ code }) => code))],
    isRightAfterwards: after.isRight,
    grownMib: (process.resourceUsage().maxRSS - before) / 1024,
  }),
)
