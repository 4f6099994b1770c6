/** A refusal as AWS KMS words it: `type` is the error name an SDK turns into an exception, `status` the HTTP status. */
export class KmsError extends Error {
  readonly type: string
  readonly status: number

  constructor(type: string, message = '', status = 400) {
    super(message)
    this.name = 'KmsError'
    this.type = type
    this.status = status
  }
}
