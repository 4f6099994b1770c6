import { createRandom } from '../../../proof/world/worldTime.ts'
import type { Employee } from './employee.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How somebody stops to work at the company: an owner removes them, their provider signs them out and an owner removes them a day later, or they leave. */
export type Leaving = { readonly day: number; readonly how: 'removed' | 'signed out' | 'leaves' } | undefined

/** An employee over the month. */
export interface Career extends Employee {
  readonly from: number
  readonly leaving: Leaving
}

/** Something that happens, in milliseconds from the begin: a request of an employee, or an incident. */
export type Event =
  | { readonly at: number; readonly kind: 'request'; readonly who: number }
  | { readonly at: number; readonly kind: 'evening'; readonly who: number }
  | { readonly at: number; readonly kind: 'logout'; readonly who: number }
  | {
      readonly at: number
      readonly kind: 'leaving'
      readonly who: number
      readonly how: 'removed' | 'signed out' | 'leaves'
    }
  | { readonly at: number; readonly kind: Incident }

/** What befalls the company, each at its hour of a day. Day 0 is a Monday. */
export const incidents = {
  'provider down': 9 * DAY + 8.5 * HOUR,
  'break-glass owner signs in': 9 * DAY + 9 * HOUR,
  'provider up': 9 * DAY + 9.5 * HOUR,
  'new key': 7 * DAY + 12 * HOUR,
  'old key retired': 14 * DAY + 12 * HOUR,
  'new secret at the provider': 15 * DAY + 12 * HOUR,
  'new secret saved': 16 * DAY + 12 * HOUR,
  'old secret retired': 16 * DAY + 13 * HOUR,
  'name servers silent': 7 * DAY - HOUR,
  'name servers answer': 8 * DAY - HOUR,
  'record missing': 15 * DAY - HOUR,
  'record back': 16 * DAY + HOUR,
} as const
export type Incident = keyof typeof incidents

const isIncident = (name: string): name is Incident => name in incidents

export interface Size {
  readonly employees: number
  readonly days: number
  readonly requestsADay: number
  readonly seed: number
}

/** The people of the company, of whom some come and some go. */
export function careers({ employees, days, seed }: Size): Career[] {
  const random = createRandom(seed)
  return Array.from({ length: employees }, (_, index) => {
    const hasAccount = index % 3 === 0
    const isNew = !hasAccount && random() < 0.05
    const goes = !isNew && random() < 0.06
    const how = (['removed', 'signed out', 'leaves'] as const)[index % 3] ?? 'leaves'
    return {
      ...{ subject: `employee-${index}`, email: `employee-${index}@acme.example` },
      password: hasAccount ? `the phrase of employee ${index}` : undefined,
      factor: !hasAccount ? 'at the provider' : index % 2 === 0 ? 'own' : 'none yet',
      keepsTokens: random() < 0.5,
      from: isNew ? 1 + Math.floor(random() * (days - 2)) : 0,
      leaving: goes ? { day: 4 + Math.floor(random() * (days - 4)), how } : undefined,
    }
  })
}

/** Everything of the month in its order. */
export function calendar({ days, requestsADay, seed }: Size, people: readonly Career[]): Event[] {
  const random = createRandom(seed + 1)
  const working = Array.from({ length: days }, (_, day) => day).filter((day) => day % 7 < 5)
  const ofDay = (day: number, who: number): Event[] => {
    const begin = day * DAY + 8 * HOUR + random() * 2 * HOUR
    const requests = Array.from({ length: requestsADay }, () => begin + random() * 8 * HOUR)
    const evening = begin + 8 * HOUR
    return [
      ...[begin, ...requests].map((at) => ({ at, kind: 'request' as const, who })),
      { at: evening, kind: 'evening', who },
      ...(random() < 0.02 ? [{ at: begin + random() * 8 * HOUR, kind: 'logout' as const, who }] : []),
    ]
  }
  // Who has left goes on trying.
  const work = working.flatMap((day) => people.flatMap(({ from }, who) => (from <= day ? ofDay(day, who) : [])))
  const leavings = people.flatMap(({ leaving }, who) => {
    if (leaving === undefined) return []
    const leaves = { at: leaving.day * DAY + 14 * HOUR, kind: 'leaving', who, how: leaving.how } as const
    const removal = { ...leaves, at: leaves.at + 20 * HOUR, how: 'removed' } as const
    return leaving.how === 'signed out' ? [leaves, removal] : [leaves]
  })
  const told = Object.keys(incidents)
    .filter(isIncident)
    .map((kind) => ({ at: incidents[kind], kind }))
    .filter(({ at }) => at < days * DAY)
  return [...work, ...leavings, ...told].toSorted((one, other) => one.at - other.at)
}
