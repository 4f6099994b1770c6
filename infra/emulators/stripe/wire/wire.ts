import type Stripe from 'stripe'

/** An expandable field holds an id until it is expanded: the object alternatives beside a string are dropped. */
type Unexpanded<V> = [Extract<V, string>] extends [never] ? V : Exclude<V, { object: string }>

/**
 * The JSON that Stripe sends for the SDK type `T` before any expansion: decimals are strings, `lastResponse` (added by the SDK) is absent,
 * and references are ids. A missing or misspelt field does not compile.
 */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer Item)[]
      ? Wire<Unexpanded<Item>>[]
      : T extends object
        ? { [Key in keyof T as Key extends 'lastResponse' ? never : Key]: Wire<Unexpanded<T[Key]>> }
        : T

/** Stripe's list envelope. */
export interface WireList<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

/** An event as stored and delivered; `data.object` is the changed object at that time. */
export interface WireEvent extends Omit<Wire<Stripe.EventBase>, 'type' | 'data'> {
  type: Stripe.Event['type']
  data: { object: object; previous_attributes?: object }
}

/** The API version of every answer and event, which the SDK pins. */
export const apiVersion = '2026-10-28.endive' satisfies typeof Stripe.API_VERSION

/** True for a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
