import type { Logger } from '../log/logger.ts'
import type { CartLine } from './cartLine.ts'

/** One line for all that was bought, and one for each reason: a cart of unknown codes is not worth twenty. */
export function logLines(logger: Logger, lines: readonly CartLine[]): void {
  const byReason = Map.groupBy(lines, (line) => (line.ok ? 'bought' : line.error))
  for (const [reason, { length }] of byReason) {
    if (reason === 'bought') logger.info('Lines bought', { lines: length })
    else logger.info('Lines refused', { reason, lines: length })
  }
}
