/** One message to one person, in both forms that mail programs show. */
export interface Mail {
  /** One address without a display name: `ada@example.com`. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  /** A whole HTML document that asks for nothing from elsewhere: no image, no script, no tracking. */
  readonly html: string
}

/** Hands mail to whoever delivers it. */
export interface Mailer {
  /**
   * Resolves once the mail is taken; it may still bounce. Where the answer is lost and it is tried again, the mail arrives twice.
   * @throws CommonError `service_unavailable` when it is not taken, or when that is unknown
   * @throws RangeError for an address that is not one plain address, or a subject that is not one line: nothing is sent
   */
  send(mail: Mail): Promise<void>
}
