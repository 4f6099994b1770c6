/** A message to a single recipient, as text and as HTML. */
export interface Mail {
  /** An address without a display name: `ada@example.com`. */
  readonly to: string
  /** A single line. */
  readonly subject: string
  readonly text: string
  /** A complete HTML document that loads nothing: no image, no script, no tracking. */
  readonly html: string
}

/** Sends mail through a delivery service. */
export interface Mailer {
  /**
   * Resolves when the service has accepted the mail; it may still bounce. A retry after a lost answer sends the mail twice.
   * @throws CommonError `service_unavailable` if the mail is not accepted, or if that is unknown
   * @throws RangeError if `to` is not a single plain address or the subject not a single line; nothing is sent
   */
  send(mail: Mail): Promise<void>
  /**
   * Sends the mail as `send` does, in the same time, but to an address that discards everything: `to` gets no mail. Use it if the time of a
   * request must not reveal whether the recipient exists.
   * @throws as `send`
   */
  discard(mail: Mail): Promise<void>
}
