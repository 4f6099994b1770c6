import { setImmediate as turn } from 'node:timers/promises'

/** One call of a port, waiting to be let through. */
export interface PortCall {
  /** `records.commit` */
  method: string
  /** Its number among the calls of this method in its invocation: `2/records.commit#1`. */
  name: string
  invocation: number
  /** The call itself; may be run more than once. */
  effect: () => Promise<unknown>
  /** What the caller gets where the call came to nothing: throws, or answers `unknown`. */
  failure: () => unknown
}

interface Waiting {
  call: PortCall
  resolve(): void
  reject(error: unknown): void
}

/** How an invocation ended. A crashed one never continues after its last call. */
export type Ending<Value> =
  | { kind: 'answered'; value: Value }
  | { kind: 'failed'; error: unknown }
  | { kind: 'crashed' }

/** What becomes of a call. `crash` ends its invocation there. */
export type Passage = { kind: 'answer' } | { kind: 'throw'; error: unknown } | { kind: 'crash' }

/** Picks the call that is let through next. */
export type Choose = (ready: readonly PortCall[]) => PortCall

interface Invocation {
  id: number
  counts: Map<string, number>
  ended: boolean
}

/** The one gate that every port call of every invocation passes, one at a time. */
export interface Gate {
  /** Runs operations side by side until each has ended; `choose` decides every turn, the oldest call first by default. */
  run<Value>(operations: readonly ((enter: Enter) => Promise<Value>)[], choose?: Choose): Promise<Ending<Value>[]>
}

/** Brings a call of this invocation before the gate. */
export type Enter = <Value>(
  method: string,
  effect: () => Promise<Value>,
  failure: () => Value | Promise<Value>,
) => Promise<Value>

/** Turns that may pass without a call before something other than a port is being waited for. */
const PATIENCE = 1000

export function createGate(pass: (call: PortCall) => Promise<Passage>): Gate {
  const waiting: Waiting[] = []
  let invocations = 0

  function enterOf(invocation: Invocation): Enter {
    return <Value>(method: string, effect: () => Promise<Value>, failure: () => Value | Promise<Value>) =>
      new Promise<Value>((resolve, reject) => {
        const count = (invocation.counts.get(method) ?? 0) + 1
        invocation.counts.set(method, count)
        let answered: Value
        // The passage carries no types: what the caller gets was kept here when the call ran.
        const keep = async (run: () => Value | Promise<Value>) => {
          answered = await run()
        }
        const call: PortCall = {
          method,
          name: `${invocation.id}/${method}#${count}`,
          invocation: invocation.id,
          effect: () => keep(effect),
          failure: () => keep(failure),
        }
        waiting.push({ call, resolve: () => resolve(answered), reject })
      })
  }

  async function drive(own: readonly Invocation[], choose: Choose): Promise<void> {
    let idle = 0
    while (own.some(({ ended }) => !ended)) {
      await turn()
      const alive = own.filter(({ ended }) => !ended).map(({ id }) => id)
      const ready = waiting.filter(({ call }) => alive.includes(call.invocation))
      if (ready.length === 0) {
        idle += 1
        if (idle > PATIENCE) throw new Error('An invocation waits for something that is no port')
        continue
      }
      idle = 0
      const chosen = choose(ready.map(({ call }) => call))
      const next = ready.find(({ call }) => call === chosen)
      if (!next) throw new Error('Chosen was a call that does not wait')
      waiting.splice(waiting.indexOf(next), 1)
      const passage = await pass(next.call)
      if (passage.kind === 'answer') next.resolve()
      else if (passage.kind === 'throw') next.reject(passage.error)
      else crash(own.find(({ id }) => id === next.call.invocation))
    }
  }

  function crash(invocation: Invocation | undefined): void {
    if (invocation) invocation.ended = true
    for (let index = waiting.length - 1; index >= 0; index -= 1) {
      if (waiting[index]?.call.invocation === invocation?.id) waiting.splice(index, 1)
    }
  }

  return {
    async run<Value>(
      operations: readonly ((enter: Enter) => Promise<Value>)[],
      choose: Choose = ([oldest]) => required(oldest),
    ) {
      const endings = operations.map((): Ending<Value> => ({ kind: 'crashed' }))
      const own = operations.map((operation, index) => {
        const invocation: Invocation = { id: invocations, counts: new Map(), ended: false }
        invocations += 1
        const end = (ending: Ending<Value>) => {
          if (invocation.ended) return
          invocation.ended = true
          endings[index] = ending
        }
        operation(enterOf(invocation)).then(
          (value) => end({ kind: 'answered', value }),
          (error: unknown) => end({ kind: 'failed', error }),
        )
        return invocation
      })
      await drive(own, choose)
      return endings
    },
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is no call to choose')
  return value
}
