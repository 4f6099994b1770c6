import type { FieldsOf, MessageAt, MessageName } from './logMessages.ts'

/** Fields of any message: ids of ours, codes and counts. Never a secret, a body, an email address or a gateway customer. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A message of the registry with fields that it may carry. */
export type LogEntry<Name extends MessageName = MessageName> = {
  [One in Name]: [message: One, fields: FieldsOf<One>]
}[Name]

/**
 * Structured log, and with it the metrics: each message of `logMessages.ts` says what it counts. Messages are constants, so that
 * they can be searched and alarmed on; what varies goes into fields. Never throws.
 */
export interface Logger {
  info(...entry: LogEntry<MessageAt<'info'>>): void
  warn(...entry: LogEntry<MessageAt<'warn'>>): void
  error(...entry: LogEntry<MessageAt<'error'>>): void
}
