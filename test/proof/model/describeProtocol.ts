import { describe, expect, it } from '@jest/globals'
import { explore, type Model } from './explore.ts'
import { boundsText, report } from './report.ts'

interface Described<Bounds extends object> {
  /** What the tests call the protocol. */
  readonly subject: string
  /** The bounds within which all guards together are shown to hold. */
  readonly guarded: readonly { readonly bounds: Bounds }[]
}

/**
 * Explores a protocol with all of its guards, within each of its bounds.
 * @param holds says what is true in every state
 */
export function describeGuarded<Bounds extends object, State>(
  { subject, guarded }: Described<Bounds>,
  holds: string,
  protocol: (bounds: Bounds) => Model<State>,
): void {
  describe(`${subject} with all of its guards`, () => {
    it.each(guarded.map(({ bounds }) => [boundsText(bounds), bounds] as const))(
      `${holds} in every state: %s`,
      (title, bounds) => {
        const exploration = explore(protocol(bounds))
        report(title, exploration)
        expect(exploration).toMatchObject({ complete: true, violation: undefined })
      },
    )
  })
}

/** Takes each guard away alone. It must go wrong, and within bounds in which all guards together hold. */
export function describeUnguarded<Guard extends string, Bounds extends object, State>(
  { subject, guarded }: Described<Bounds>,
  guards: readonly Guard[],
  removals: Readonly<Record<Guard, { readonly bounds: Bounds; readonly kind: string }>>,
  protocol: (bounds: Bounds, without: readonly Guard[]) => Model<State>,
  isWithin: (bounds: Bounds, wider: Bounds) => boolean = isAtMost,
): void {
  describe(`${subject} without one of its guards`, () => {
    it.each(guards)('goes wrong without "%s"', (guard) => {
      const { bounds, kind } = removals[guard]
      const exploration = explore(protocol(bounds, [guard]))
      report(`without "${guard}"`, exploration)
      expect(exploration.violation?.kind).toBe(kind)
    })

    it.each(guards)('goes wrong within bounds in which all guards hold: "%s"', (guard) => {
      expect(guarded.some(({ bounds }) => isWithin(removals[guard].bounds, bounds))).toBe(true)
    })
  })
}

/** Whether no bound is larger than that of the same name. */
export function isAtMost<Bounds extends object>(bounds: Bounds, wider: Bounds): boolean {
  const most = new Map<string, number>(Object.entries(wider))
  return Object.entries(bounds).every(([name, bound]) => bound <= (most.get(name) ?? 0))
}
