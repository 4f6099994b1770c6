/** One message to one recipient, as text and as HTML. */
export interface Mail {
  /** One address without a display name: `ada@example.com`. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  /** A complete HTML document that loads nothing: no image, no script, no tracking. */
  readonly html: string
}

/** Sends mail through a delivery service. */
export interface Mailer {
  /**
   * Resolves once the service accepted the mail; it may still bounce. A retry after a lost answer sends the mail twice.
   * @throws CommonError `service_unavailable` when the mail is not accepted, or when that is unknown
   * @throws RangeError when `to` is not one plain address or the subject not one line; nothing is sent
   */
  send(mail: Mail): Promise<void>
  /**
   * Hands the mail over as `send` does, in the same time, to an address that takes everything and keeps nothing: `to` gets no mail. For
   * requests whose time must not show whether there is a recipient.
   * @throws as `send`
   */
  discard(mail: Mail): Promise<void>
}
