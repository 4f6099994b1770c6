import type { Choose } from '../orders/gate.ts'
import { type Call, commute, isUnmoved } from './scheduleIndependence.ts'

/** How far schedules are searched. */
export interface Bounds {
  /** How often an invocation that could go on is left waiting for another one; Infinity for every order. */
  preemptions: number
  /** Whether of the orders that differ only by neighbours that commute one is played, or all. */
  reduced: boolean
}

/** Plays one schedule. Answers whether it came to its end, false where a choice threw `Covered`. */
export type Play = (choose: Choose) => Promise<boolean>

/** Thrown by a choice where every way on is known already. */
export class Covered extends Error {}

/** The choices of a schedule so far. */
interface Past {
  played: readonly { call: Call; level: number }[]
  running: number | undefined
  preempted: number
}

const begun: Past = { played: [], running: undefined, preempted: 0 }

/**
 * Searches all schedules within the bounds, depth first, and has played what it needs to know which calls wait where.
 *
 * Reduced, a call that commutes with every other one runs as soon as it waits, and is no choice. Two pasts that differ by
 * neighbours that commute are one place: the world is the same and the same calls wait there, so that every way on from it
 * is played from one of them. Of equivalent schedules therefore one is played to its end.
 */
export async function searchSchedules({ preemptions, reduced }: Bounds, play: Play): Promise<void> {
  /** The calls that wait at a place; none where all have ended. */
  const waiting = new Map<string, readonly Call[]>()
  const visited = new Set<string>()
  const placeOf = reduced ? normalForm : exactOrder

  async function visit(past: Past): Promise<void> {
    const place = placeOf(past)
    const visitOf = Number.isFinite(preemptions) ? `${place}\n${past.running} ${past.preempted}` : place
    if (visited.has(visitOf)) return
    visited.add(visitOf)
    if (!waiting.has(place)) await learn(past)
    const ready = waiting.get(place)
    if (!ready) throw new Error('The same choices led to another place')
    for (const call of optionsOf(past, ready, preemptions)) await visit(after(past, ready, call))
  }

  /** Plays the schedule up to a place, and on from there as long as that leads to places not known yet. */
  async function learn({ played }: Past): Promise<void> {
    let past = begun
    const ended = await play((ready) => {
      const unmoved = reduced ? ready.find((call) => isUnmoved(call, ready)) : undefined
      if (unmoved) return unmoved
      const calls = ready.map(({ name, method, invocation }) => ({ name, method, invocation }))
      waiting.set(placeOf(past), calls)
      const next = played[past.played.length]?.call ?? wayOn(past, calls)
      past = after(past, calls, next)
      return required(ready.find(({ name }) => name === next.name))
    })
    if (ended) waiting.set(placeOf(past), [])
  }

  function wayOn(past: Past, ready: readonly Call[]): Call {
    const options = optionsOf(past, ready, preemptions)
    const next = options.find((call) => !waiting.has(placeOf(after(past, ready, call))))
    if (!next) throw new Covered()
    return next
  }

  await visit(begun)
}

/** The calls that may run next, those of the invocation that ran last first, so that the first option preempts none. */
function optionsOf({ running, preempted }: Past, ready: readonly Call[], preemptions: number): readonly Call[] {
  const own = ready.filter(({ invocation }) => invocation === running)
  const rest = ready.filter(({ invocation }) => invocation !== running)
  return own.length > 0 && preempted >= preemptions ? own : [...own, ...rest]
}

/** A call's level is one above the highest before it with which it does not commute. */
function after(past: Past, ready: readonly Call[], call: Call): Past {
  const below = past.played.filter((before) => !commute(before.call, call)).map(({ level }) => level)
  const mayGoOn = ready.some(({ invocation }) => invocation === past.running)
  return {
    played: [...past.played, { call, level: 1 + Math.max(0, ...below) }],
    running: call.invocation,
    preempted: past.preempted + (mayGoOn && call.invocation !== past.running ? 1 : 0),
  }
}

/** Foata's normal form: the same for two pasts exactly where they differ only by neighbours that commute. */
function normalForm({ played }: Past): string {
  return played
    .map(({ call, level }) => `${level} ${call.name}`)
    .toSorted()
    .join('\n')
}

function exactOrder({ played }: Past): string {
  return played.map(({ call }) => call.name).join('\n')
}

function required<Value>(call: Value | undefined): Value {
  if (call === undefined) throw new Error('The same choices led to other calls')
  return call
}
