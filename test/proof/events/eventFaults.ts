/** What can happen to one call of a port in the story of events. */
export const eventFaultKinds = [
  'not applied',
  'answer lost',
  /** The invocation ends before the call, or after it. */
  'crash before',
  'crash after',
  /** The store gets it twice, and answers the second time. */
  'duplicated',
  /** It takes 46 s, longer than a claim lasts. */
  'delayed',
  /** It takes 46 s, and in the meantime the run of another minute does all that is due. */
  'overtaken',
] as const

/** A fault at one await, by the call's name and number: `queue.claim#2`. */
export interface EventFault {
  readonly at: string
  readonly kind: (typeof eventFaultKinds)[number]
}

/** Ends an invocation: nothing catches it but the story. */
export class Crash extends Error {}

interface Invocation {
  hasCrashed: boolean
}

export interface GateOptions {
  readonly faults: readonly EventFault[]
  readonly unavailable: () => Error
  readonly delay: () => void
  readonly overtake: () => Promise<void>
}

/** Every call of a port passes it, and fails as it is told to. */
export function createEventGate({ faults, unavailable, delay, overtake }: GateOptions) {
  const counts = new Map<string, number>()
  const awaits: string[] = []

  async function pass<Result>(invocation: Invocation, name: string, act: () => Promise<Result>): Promise<Result> {
    if (invocation.hasCrashed) throw new Crash()
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    const at = `${name}#${number}`
    awaits.push(at)
    const kind = faults.find((fault) => fault.at === at)?.kind
    if (kind === 'not applied') throw unavailable()
    if (kind === 'crash before') invocation.hasCrashed = true
    if (invocation.hasCrashed) throw new Crash()
    if (kind === 'delayed' || kind === 'overtaken') delay()
    if (kind === 'overtaken') await overtake()
    const result = await act()
    if (kind === 'crash after') invocation.hasCrashed = true
    if (invocation.hasCrashed) throw new Crash()
    if (kind === 'answer lost') throw unavailable()
    return kind === 'duplicated' ? act() : result
  }

  /** The port as one invocation sees it. */
  function gated<Port extends object>(port: Port, name: string, invocation: Invocation): Port {
    return new Proxy(port, {
      get(target, method, receiver) {
        const member: unknown = Reflect.get(target, method, receiver)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) =>
          pass(invocation, `${name}.${String(method)}`, async () => Reflect.apply(member, target, given))
      },
    })
  }

  return { awaits, gated }
}
