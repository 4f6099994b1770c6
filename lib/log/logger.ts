import type { FieldsOf, MessageAt, MessageName } from './logMessages.ts'

/** Fields of any message: ids of ours, codes and counts. Never a secret, a body, an email address or a gateway customer. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A message of the registry with fields that it may carry. */
export type LogEntry<Name extends MessageName = MessageName> = {
  [One in Name]: [message: One, fields: FieldsOf<One>]
}[Name]

/**
 * Structured log, which also produces the metrics: `logMessages.ts` defines what each message counts. Messages are constants, so you can
 * search for them and set alarms on them; variable parts are fields. Never throws.
 */
export interface Logger {
  info(...entry: LogEntry<MessageAt<'info'>>): void
  warn(...entry: LogEntry<MessageAt<'warn'>>): void
  error(...entry: LogEntry<MessageAt<'error'>>): void
}
