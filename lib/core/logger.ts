/** Fields that may be logged: ids of ours, codes and counts. Never a secret, a body, an email address or a gateway customer. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Structured log. Messages are constants, so that they can be searched and alarmed on; what varies goes into fields. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}
