/** The errors that the emulator answers with. Any other error of SES can be injected as a fault. Source: SES API v2 Reference. */
const statuses = {
  BadRequestException: 400,
  MissingAuthenticationTokenException: 403,
  UnknownOperationException: 404,
} as const

/** A refusal by the name that AWS gives it. */
export class SesError extends Error {
  readonly type: keyof typeof statuses

  constructor(type: keyof typeof statuses, message: string) {
    super(message)
    this.type = type
  }

  get status(): number {
    return statuses[this.type]
  }
}
