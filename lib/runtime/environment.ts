/** How each variable is read. */
const readers = {
  AWS_REGION: (name) => optional(name) ?? 'us-east-1',
  /** The stage, a dimension of every metric; no dimension if unset. */
  STAGE: optional,
  /** The function's own name. Set by Lambda. */
  AWS_LAMBDA_FUNCTION_NAME: optional,
  /** The running version, whatever alias was called. Set by Lambda. */
  AWS_LAMBDA_FUNCTION_VERSION: optional,
  ACCOUNTS_TABLE: present,
  BILLING_TABLE: present,
  /** Only set for functions that write or read the audit log. */
  AUDIT_LOG_TABLE: optional,
  /** Only set for functions that announce facts, or deliver them. */
  EVENTS_TABLE: optional,
  /** Where events may be sent: to public addresses if unset, on the local stack to loopback addresses too. */
  EVENT_DESTINATIONS: (name) => oneOf(name, ['public', 'public_or_loopback'], 'public'),
  /** The name servers that know TXT records, addresses with ports separated by a comma; those of the system if unset. */
  DNS_SERVERS: optional,
  CUSTOMER_KEY_ID: present,
  TOKEN_KEY_ID: present,
  /**
   * The public half of the token key: `<kid>:<base64 of its DER SubjectPublicKeyInfo>`. The `kid` is the id of the KMS key. Two keys
   * separated by a comma while the key is rotated.
   */
  TOKEN_PUBLIC_KEY: present,
  TOKEN_ISSUER: url,
  TOKEN_AUDIENCE: present,
  /** For each secret, either its value is set or the ARN of a Secrets Manager secret. */
  STRIPE_SECRET_KEY: optional,
  STRIPE_SECRET_KEY_ARN: optional,
  /** The webhook's signing secret, or two separated by a comma while it is rotated. */
  STRIPE_WEBHOOK_SECRETS: optional,
  STRIPE_WEBHOOK_SECRETS_ARN: optional,
  /** The key that signs the cookies of known browsers. While it is rotated, the new and the old key, separated by a comma. */
  KNOWN_BROWSER_KEY: optional,
  KNOWN_BROWSER_KEY_ARN: optional,
  /** Another base URL of the Stripe API; Stripe's own if unset. */
  STRIPE_API_BASE: optionalUrl,
  /** The sender of mails: an email address or `Name <email address>`. */
  MAIL_FROM: present,
  /** The SES configuration set that mails are sent through; none if unset. */
  MAIL_CONFIGURATION_SET: optional,
  /** The base URL of the links in mails, which is the API's. */
  ACCOUNT_URL: url,
  /** JSON of `Branding`; only set for functions that answer pages or send mail. */
  BRANDING: present,
  /** A clock to follow (`GET` answers `{"now": unix seconds}`); the system's own if unset. */
  CLOCK_URL: optionalUrl,
  /** A key that only this stage's CloudFront sends, if CloudFront is in front of the API. Requests with it name their viewer. */
  EDGE_KEY: optional,
  /** `on` refuses requests without `EDGE_KEY`; anything else accepts them. */
  EDGE_ONLY: asSet,
  /** The lowest level that is logged; `SILENT` logs nothing. */
  LOG_LEVEL: (name) => oneOf(name, ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'], 'INFO'),
  /** `off` prints no metrics; anything else does. */
  METRICS: asSet,
  /** `on` limits the rate of requests; anything else leaves them unlimited. */
  RATE_LIMITS: asSet,
  /** `on` sets the redirect policy `development`, for stages on which clients are developed; anything else sets `exact`. */
  DEVELOPMENT_REDIRECTS: asSet,
  /** `on` lets Stripe add tax to new sales; anything else does not. */
  AUTOMATIC_TAX: asSet,
  /** `on` asks for the address first at a sign-in, and leads to the single sign-on of its company; anything else asks for address and password together. */
  COMPANY_SIGN_IN: asSet,
  /** `off` sends no mail about money; anything else does. */
  MONEY_MAILS: asSet,
  /** The base URL of a list of breached passwords, to look up new passwords in; no look-up if unset. */
  PWNED_PASSWORDS_URL: optionalUrl,
  /** JSON of the function's own limit, `FunctionRateLimit`; only set for functions with a limit. */
  RATE_LIMIT: present,
  /**
   * Who reads when a version is checked before traffic: the id of the stage's canary client, or `unknown_user`; no one if unset. Only set for functions
   * that change nothing.
   */
  RELEASE_READER: optional,
} as const satisfies Readonly<Record<string, (name: string) => unknown>>

export type VariableName = keyof typeof readers

/**
 * The names of tables, keys, secrets and other services, and the function's own rate limit. Set by `infra/aws` on Lambda and by `infra/local` on
 * a developer's machine. The only reader of `process.env`. A variable is checked when it is read, at the cold start: throws Error with the name
 * of a variable that is missing or ill-formed, never with its value.
 */
export const environment = Object.defineProperties(
  {} as { readonly [Name in VariableName]: ReturnType<(typeof readers)[Name]> },
  Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, { enumerable: true, get: () => read(name) }]),
  ),
)

/** Whether a variable is set, even if it is empty. */
export function isSet(name: VariableName): boolean {
  return asSet(name) !== undefined
}

/** The id of the X-Ray trace of this invocation, from the header that Lambda sets for each; undefined if the stage has tracing off. */
export function traceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1]
}

/** Its text as it is set, even if it is empty. */
function asSet(name: string): string | undefined {
  return process.env[name]
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

function optionalUrl(name: string): string | undefined {
  return optional(name) && url(name)
}

function oneOf<const Value extends string>(name: string, values: readonly Value[], otherwise: Value): Value {
  const text = process.env[name]
  if (text === undefined) return otherwise
  const value = values.find((one) => one === text)
  if (value === undefined) throw new Error(`The environment's ${name} is none of ${values.join(', ')}`)
  return value
}
