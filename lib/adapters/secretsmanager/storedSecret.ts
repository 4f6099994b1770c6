import type { Clock } from '../../core/clock.ts'
import type { Secret } from '../../core/secret.ts'

const MINUTE = 60_000

/** How old a value may grow before it is read again. */
const MAX_AGE = 10 * MINUTE
/** A refused value is read again at most this often: whoever refuses it may be wrong. */
const MIN_AGE = MINUTE / 2

/**
 * A secret that is read once, again when its value has grown old, and again when the value was refused. Where it cannot be
 * read again, the value that was read last stays in use.
 * @param read answers the text of the secret
 * @throws what `read` throws, the first time only
 */
export async function openStoredSecret(read: () => Promise<string>, clock: Clock): Promise<Secret> {
  let value = await read()
  let readAt = clock.now()
  let reading: Promise<void> | undefined

  function readAgain(): Promise<void> {
    reading ??= read()
      .then(
        (latest) => {
          value = latest
        },
        () => {},
      )
      .finally(() => {
        readAt = clock.now()
        reading = undefined
      })
    return reading
  }

  return {
    async current() {
      if (clock.now() - readAt >= MAX_AGE) await readAgain()
      return value
    },
    async refresh() {
      const refused = value
      if (clock.now() - readAt >= MIN_AGE) await readAgain()
      return value === refused ? null : value
    },
  }
}
