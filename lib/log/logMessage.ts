import type { MetricName } from './metrics.ts'

export type LogLevel = 'info' | 'warn' | 'error'

/** The kinds of text that a field may contain, with the length at which each is cut. */
export const textLimits = {
  /** An id of ours or of the gateway's, never a customer's. */
  id: 64,
  /** A word from a closed set: an error code, a state, a status, the name of an error. */
  code: 64,
  /** A constant sentence, such as the message of a `ServiceError`. */
  sentence: 200,
  /** The stack of an error, without its message. */
  stack: 2000,
} as const

type TextKind = keyof typeof textLimits

/** The type of a field: a kind of text, a number, or a flag. */
export type FieldKind = TextKind | 'number' | 'flag'

type FieldKinds = Readonly<Record<string, FieldKind>>

/** What a message adds to a metric: 1, or the number in a field; only if each field of `when` has a given value. */
export interface Counted<Field extends string = string> {
  readonly metric: MetricName
  readonly value?: Field
  /** The field with the metric's dimension, if it has any. */
  readonly dimension?: Field
  readonly when?: Readonly<Partial<Record<Field, readonly (string | number)[]>>>
}

/** A log message: its level, every field that it may carry, and what it counts. */
export interface LogMessage {
  readonly level: LogLevel
  readonly fields: FieldKinds
  readonly counts: readonly Counted[]
}

function atLevel<Level extends LogLevel>(level: Level) {
  return <const Fields extends FieldKinds>(fields: Fields, ...counts: readonly Counted<keyof Fields & string>[]) =>
    ({ level, fields, counts }) as const
}

/** Normal operation, including justified refusals. */
export const info = atLevel('info')

/** Recovers by itself, but needs a person if it happens often. */
export const warn = atLevel('warn')

/** Should not happen. */
export const error = atLevel('error')
