import * as z from 'zod/mini'
import type { LambdaEvent } from '../../../infra/local/invokeFunction.ts'
import type { RecentSignIn } from '../../../lib/http/contract.ts'

export const text = z.looseObject({ body: z.string() })

export const members = z.record(z.string(), z.unknown())

/** The event with a body that asks, or with one that does not, for a recent sign-in; undefined where every body asks. */
export function withBody(event: LambdaEvent, asked: RecentSignIn | undefined, asks: boolean): LambdaEvent | undefined {
  if (asked === undefined || asked === true) return asks ? event : undefined
  const sent = members.parse(JSON.parse(text.parse(event).body))
  const { [asked.where]: given, ...rest } = sent
  const value = asked.is ?? (asked.where === 'email' ? 'billing@example.com' : given)
  const other = asked.is === undefined ? {} : { [asked.where]: given === asked.is ? 'member' : given }
  const member = asks ? { [asked.where]: value } : other
  return z.custom<LambdaEvent>().parse({ ...event, body: JSON.stringify({ ...rest, ...member }) })
}
