/** A system of states and the steps between them, small enough to visit every state. */
export interface Model<State> {
  readonly initial: State
  /** Equal for states that behave alike: only one of them is explored. */
  key(state: State): string
  /** Calls `visit` for every step out of `state`, in an order that depends on nothing else. */
  next(state: State, visit: Visit<State>): void
  /** What is wrong with this state, or undefined. */
  violation(state: State): string | undefined
}

/** Takes one step: what happens in it, and the state after it. */
export type Visit<State> = (label: string, next: State) => void

/** What an exploration found. */
export interface Exploration {
  states: number
  transitions: number
  /** Steps from the initial state to the farthest one. */
  depth: number
  /** False where a violation or `limit` ended it early. */
  complete: boolean
  /** The first violation; breadth first, so no trace is shorter. */
  violation: { kind: string; trace: string[] } | undefined
}

/** Visits every state of `model` breadth first, up to the first violation or to `limit` states. */
export function explore<State>(model: Model<State>, limit = Number.POSITIVE_INFINITY): Exploration {
  const seen = new Set([model.key(model.initial)])
  const cameFrom: Step[] = [{ parent: -1, ordinal: -1 }]
  let frontier = [model.initial]
  let first = 0
  let transitions = 0
  let depth = 0
  let violation: Exploration['violation']
  let complete = true

  while (frontier.length > 0 && complete) {
    const following: State[] = []
    frontier.forEach((state, offset) => {
      if (seen.size >= limit || violation !== undefined) complete = false
      if (!complete) return
      let ordinal = 0
      model.next(state, (_, next) => {
        ordinal += 1
        if (violation !== undefined) return
        transitions += 1
        const key = model.key(next)
        if (seen.has(key)) return
        seen.add(key)
        cameFrom.push({ parent: first + offset, ordinal })
        following.push(next)
        const kind = model.violation(next)
        if (kind !== undefined) violation = { kind, trace: traceTo(model, cameFrom) }
      })
    })
    if (following.length > 0) depth += 1
    first += frontier.length
    frontier = following
  }
  return { states: seen.size, transitions, depth, complete: complete && violation === undefined, violation }
}

/** How a state was reached: the state before it, and which of that state's steps it was. */
interface Step {
  parent: number
  ordinal: number
}

/** The labels of the steps that lead to the state found last, by taking them again. */
function traceTo<State>(model: Model<State>, cameFrom: readonly Step[]): string[] {
  const ordinals: number[] = []
  for (let step = cameFrom.at(-1); step && step.parent >= 0; step = cameFrom[step.parent])
    ordinals.unshift(step.ordinal)
  let state = model.initial
  return ordinals.map((wanted) => {
    const taken: { label: string; next: State }[] = []
    model.next(state, (label, next) => taken.push({ label, next }))
    const step = taken[wanted - 1]
    if (!step) throw new Error('The model takes other steps the second time')
    state = step.next
    return step.label
  })
}
