import type { Fault, FaultKind } from '../../proof/world/faults/faults.ts'
import type { Passage, PortCall } from '../../proof/world/orders/gate.ts'
import type { VirtualClock } from '../../proof/world/worldTime.ts'
import { attempt, plainFaults } from '../../support/attempt.ts'

/** What can happen to one call of the token endpoint; the words are those of the purchase's faults. */
export const tokenFaultKinds = [
  'not applied',
  'answer lost',
  'throttled',
  /** Another exchange of the same code or token was there first with this call, and then crashed. */
  'conflict',
  'crash before',
  'crash after',
  'duplicated',
  /** The answer takes 61 s, longer than a code lives. */
  'delayed',
  /** Another exchange of the same code or token runs from beginning to end before this call arrives. */
  'overtaken',
] as const satisfies readonly FaultKind[]
type TokenFaultKind = (typeof tokenFaultKinds)[number]

/** A fault at one await, `1/codes.consume#1`. */
export interface TokenFault extends Fault {
  kind: TokenFaultKind
}

/** What a fault reaches into. */
interface Surroundings {
  clock: VirtualClock
  /** Called before every call, with the fault that it gets. */
  seen(call: PortCall, fault: TokenFaultKind | undefined): void
  /** Called after every call. */
  done(): void
  /** Another sender sends the same request; it crashes after this call where one is named. */
  overtake(crashAfter?: string): Promise<void>
}

const DELAY = 61_000
/** What every call takes. */
const TAKES = 20
/** Writes with a condition, in which another writer can be first. */
const conditional = /consume|rotate|notePoll/

/** Lets every call through, each with the fault that is meant for it. */
export function injectTokenFaults(
  faults: readonly TokenFault[],
  around: Surroundings,
): (call: PortCall) => Promise<Passage> {
  return async (call) => {
    around.clock.advance(TAKES)
    const kind = faults.find(({ at }) => at === call.name)?.kind
    around.seen(call, kind)
    const passage = await pass(kind, call, around)
    around.done()
    return passage
  }
}

async function pass(kind: TokenFaultKind | undefined, call: PortCall, around: Surroundings): Promise<Passage> {
  switch (kind) {
    case undefined:
      return attempt(call.effect)
    case 'throttled':
      return attempt(call.failure)
    case 'not applied':
    case 'answer lost':
    case 'crash before':
    case 'crash after':
      return plainFaults[kind](call)
    case 'conflict':
      if (!conditional.test(call.method)) return attempt(call.failure)
      await around.overtake(call.method)
      return attempt(call.effect)
    case 'duplicated': {
      const first = await attempt(call.effect)
      // A transaction carries a token of its own: DynamoDB does it once and answers its repetition the same.
      return call.method === 'refreshTokens.rotate' ? first : attempt(call.effect)
    }
    case 'delayed': {
      const answer = await attempt(call.effect)
      around.clock.advance(DELAY)
      return answer
    }
    case 'overtaken':
      await around.overtake()
      return attempt(call.effect)
  }
}
