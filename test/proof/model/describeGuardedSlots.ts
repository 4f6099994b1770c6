import { describe, expect, it } from '@jest/globals'
import { explore } from './explore.ts'
import { guardedSlots } from './removedGuards.ts'
import { boundsText, report } from './report.ts'
import { slotProtocol } from './slotProtocol.ts'

/** Explores the slot protocol within those of its bounds that are chosen. */
export function describeGuardedSlots(isChosen: (bounds: (typeof guardedSlots)[number]['bounds']) => boolean): void {
  const chosen = guardedSlots.filter(({ bounds }) => isChosen(bounds))

  describe('The slot protocol with all of its guards', () => {
    it.each(chosen.map((row) => [boundsText(row.bounds), row] as const))(
      'keeps one live subscription, one charge and a true record in every state: %s',
      (title, { bounds }) => {
        const exploration = explore(slotProtocol(bounds))
        report(title, exploration)
        expect(exploration).toMatchObject({ complete: true, violation: undefined })
      },
    )
  })
}
