import type { MetricName } from './metrics.ts'

export type LogLevel = 'info' | 'warn' | 'error'

/** The kinds of text that a field may hold, each with the length at which it is cut. */
export const textLimits = {
  /** An id of ours or of the gateway's, never one of its customers. */
  id: 64,
  /** One of a closed set of words: an error code, a state, a status, the name of an error. */
  code: 64,
  /** A constant sentence, such as the message of a `ServiceError`. */
  sentence: 200,
  /** Where an error was thrown, without its message. */
  stack: 2000,
} as const

type TextKind = keyof typeof textLimits

/** What a field holds: a kind of text, a number, or yes or no. */
export type FieldKind = TextKind | 'number' | 'flag'

type FieldKinds = Readonly<Record<string, FieldKind>>

/** What a message adds to a metric: 1, or the number in a field; only where the fields of `when` hold one of the values given. */
export interface Counted<Field extends string = string> {
  readonly metric: MetricName
  readonly value?: Field
  /** The field that holds the metric's dimension, where it has one. */
  readonly dimension?: Field
  readonly when?: Readonly<Partial<Record<Field, readonly (string | number)[]>>>
}

/** One message of the log: its level, every field that it may carry, and what it counts. */
export interface LogMessage {
  readonly level: LogLevel
  readonly fields: FieldKinds
  readonly counts: readonly Counted[]
}

function atLevel<Level extends LogLevel>(level: Level) {
  return <const Fields extends FieldKinds>(fields: Fields, ...counts: readonly Counted<keyof Fields & string>[]) =>
    ({ level, fields, counts }) as const
}

/** What is as it should be, or refused as it should be. */
export const info = atLevel('info')

/** What heals by itself, and needs a person where it happens often. */
export const warn = atLevel('warn')

/** What should not happen. */
export const error = atLevel('error')
