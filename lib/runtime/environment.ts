/**
 * The names of tables, keys, secrets and other services, and the function's own rate limit. Set by `infra/aws` on Lambda and by `infra/local` on
 * a developer's machine. The only reader of `process.env`. A variable is checked when it is read, at the cold start: throws Error with the name
 * of a variable that is missing or ill-formed, never with its value.
 */
export const environment = {
  get AWS_REGION() {
    return optional('AWS_REGION') ?? 'us-east-1'
  },
  /** The stage, a dimension of every metric; no dimension if unset. */
  get STAGE() {
    return optional('STAGE')
  },
  /** The function's own name. Set by Lambda. */
  get AWS_LAMBDA_FUNCTION_NAME() {
    return optional('AWS_LAMBDA_FUNCTION_NAME')
  },
  /** The running version, whatever alias was called. Set by Lambda. */
  get AWS_LAMBDA_FUNCTION_VERSION() {
    return optional('AWS_LAMBDA_FUNCTION_VERSION')
  },
  get ACCOUNTS_TABLE() {
    return present('ACCOUNTS_TABLE')
  },
  get BILLING_TABLE() {
    return present('BILLING_TABLE')
  },
  /** Only set for functions that write or read the audit log. */
  get AUDIT_LOG_TABLE() {
    return optional('AUDIT_LOG_TABLE')
  },
  get CUSTOMER_KEY_ID() {
    return present('CUSTOMER_KEY_ID')
  },
  get TOKEN_KEY_ID() {
    return present('TOKEN_KEY_ID')
  },
  /**
   * The public half of the token key: `<kid>:<base64 of its DER SubjectPublicKeyInfo>`. The `kid` is the id of the KMS key. Two keys
   * separated by a comma while the key is rotated.
   */
  get TOKEN_PUBLIC_KEY() {
    return present('TOKEN_PUBLIC_KEY')
  },
  get TOKEN_ISSUER() {
    return url('TOKEN_ISSUER')
  },
  get TOKEN_AUDIENCE() {
    return present('TOKEN_AUDIENCE')
  },
  /** For each secret, either its value is set or the ARN of a Secrets Manager secret. */
  get STRIPE_SECRET_KEY() {
    return optional('STRIPE_SECRET_KEY')
  },
  get STRIPE_SECRET_KEY_ARN() {
    return optional('STRIPE_SECRET_KEY_ARN')
  },
  /** The webhook's signing secret, or two separated by a comma while it is rotated. */
  get STRIPE_WEBHOOK_SECRETS() {
    return optional('STRIPE_WEBHOOK_SECRETS')
  },
  get STRIPE_WEBHOOK_SECRETS_ARN() {
    return optional('STRIPE_WEBHOOK_SECRETS_ARN')
  },
  /** The key that signs the cookies of known browsers. While it is rotated, the new and the old key, separated by a comma. */
  get KNOWN_BROWSER_KEY() {
    return optional('KNOWN_BROWSER_KEY')
  },
  get KNOWN_BROWSER_KEY_ARN() {
    return optional('KNOWN_BROWSER_KEY_ARN')
  },
  /** Another base URL of the Stripe API; Stripe's own if unset. */
  get STRIPE_API_BASE() {
    return optional('STRIPE_API_BASE') && url('STRIPE_API_BASE')
  },
  /** The sender of mails: an email address or `Name <email address>`. */
  get MAIL_FROM() {
    return present('MAIL_FROM')
  },
  /** The SES configuration set that mails are sent through; none if unset. */
  get MAIL_CONFIGURATION_SET() {
    return optional('MAIL_CONFIGURATION_SET')
  },
  /** The base URL of the links in mails, which is the API's. */
  get ACCOUNT_URL() {
    return url('ACCOUNT_URL')
  },
  /** JSON of `Branding`; only set for functions that answer pages or send mail. */
  get BRANDING() {
    return present('BRANDING')
  },
  /** A clock to follow (`GET` answers `{"now": unix seconds}`); the system's own if unset. */
  get CLOCK_URL() {
    return optional('CLOCK_URL') && url('CLOCK_URL')
  },
  /** A key that only this stage's CloudFront sends, if CloudFront is in front of the API. Requests with it name their viewer. */
  get EDGE_KEY() {
    return optional('EDGE_KEY')
  },
  /** `on` refuses requests without `EDGE_KEY`; anything else accepts them. */
  get EDGE_ONLY() {
    return process.env.EDGE_ONLY
  },
  /** The lowest level that is logged; `SILENT` logs nothing. */
  get LOG_LEVEL() {
    return oneOf('LOG_LEVEL', ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'], 'INFO')
  },
  /** `off` prints no metrics; anything else does. */
  get METRICS() {
    return process.env.METRICS
  },
  /** `on` limits the rate of requests; anything else leaves them unlimited. */
  get RATE_LIMITS() {
    return process.env.RATE_LIMITS
  },
  /** `on` sets the redirect policy `development`, for stages on which clients are developed; anything else sets `exact`. */
  get DEVELOPMENT_REDIRECTS() {
    return process.env.DEVELOPMENT_REDIRECTS
  },
  /** `on` lets Stripe add tax to new sales; anything else does not. */
  get AUTOMATIC_TAX() {
    return process.env.AUTOMATIC_TAX
  },
  /** The base URL of a list of breached passwords, to look up new passwords in; no look-up if unset. */
  get PWNED_PASSWORDS_URL() {
    return optional('PWNED_PASSWORDS_URL') && url('PWNED_PASSWORDS_URL')
  },
  /** JSON of the function's own limit, `FunctionRateLimit`; only set for functions with a limit. */
  get RATE_LIMIT() {
    return present('RATE_LIMIT')
  },
  /** JSON of every path with its methods, grouped by which pages may read the answers: for preflights and the answers 404 and 405. */
  get ROUTES() {
    return present('ROUTES')
  },
}

export type VariableName = keyof typeof environment

/** Whether a variable is set, even if it is empty. */
export function isSet(name: VariableName): boolean {
  return process.env[name] !== undefined
}

/** The id of the X-Ray trace of this invocation, from the header that Lambda sets for each; undefined if the stage has tracing off. */
export function traceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1]
}

function optional(name: string): string | undefined {
  const text = process.env[name]
  if (text === '') throw new Error(`The environment's ${name} is empty`)
  return text
}

function present(name: string): string {
  const text = optional(name)
  if (text === undefined) throw new Error(`The environment has no ${name}`)
  return text
}

function url(name: string): string {
  const text = present(name)
  if (!URL.canParse(text)) throw new Error(`The environment's ${name} is not a URL`)
  return text
}

function oneOf<const Value extends string>(name: string, values: readonly Value[], otherwise: Value): Value {
  const text = process.env[name]
  if (text === undefined) return otherwise
  const value = values.find((one) => one === text)
  if (value === undefined) throw new Error(`The environment's ${name} is none of ${values.join(', ')}`)
  return value
}
