import * as z from 'zod'

const present = z.string().min(1)

/** The names of tables, keys, secrets and other services, and the function's own rate limit. Set by `infra/aws` on Lambda and by `infra/local` on a developer's machine. */
export const environment = z.object({
  AWS_REGION: present.default('us-east-1'),
  /** The stage, a dimension of every metric; none where unset. */
  STAGE: present.optional(),
  ACCOUNTS_TABLE: present,
  BILLING_TABLE: present,
  /** Of the functions that write or read the audit log. */
  AUDIT_LOG_TABLE: present.optional(),
  CUSTOMER_KEY_ID: present,
  TOKEN_KEY_ID: present,
  /** The algorithm of that key. */
  TOKEN_KEY_ALGORITHM: z.enum(['RS256', 'ES256']).default('RS256'),
  /**
   * The public half of the token key: `<kid>:<base64 of its DER SubjectPublicKeyInfo>`, the `kid` being the id of the KMS key; two
   * of them separated by a comma while the key is rotated.
   */
  TOKEN_PUBLIC_KEY: present,
  TOKEN_ISSUER: z.url(),
  TOKEN_AUDIENCE: present,
  /** A secret is given by its value, or by the ARN of the Secrets Manager secret that holds it. */
  STRIPE_SECRET_KEY: present.optional(),
  STRIPE_SECRET_KEY_ARN: present.optional(),
  /** One webhook signing secret, or two separated by a comma while they are rotated. */
  STRIPE_WEBHOOK_SECRETS: present.optional(),
  STRIPE_WEBHOOK_SECRETS_ARN: present.optional(),
  /** The key that signs the cookies of known browsers, or two separated by a comma while it is rotated: the one that signs first. */
  KNOWN_BROWSER_KEY: present.optional(),
  KNOWN_BROWSER_KEY_ARN: present.optional(),
  /** Another base URL of the Stripe API; Stripe's own where unset. */
  STRIPE_API_BASE: z.url().optional(),
  /** The sender of mails: an email address or `Name <email address>`. */
  MAIL_FROM: present,
  /** The SES configuration set that mails are sent through; none where unset. */
  MAIL_CONFIGURATION_SET: present.optional(),
  /** The base URL of the links in mails, which is the API's. */
  ACCOUNT_URL: z.url(),
  /** JSON of `Branding`; of the functions that answer pages or send mail. */
  BRANDING: present,
  /** A clock to follow (`GET` answers `{"now": unix seconds}`); the system's own where unset. */
  CLOCK_URL: z.url().optional(),
  /** What only this stage's CloudFront sends, where one is in front of the API: its requests name their viewer. */
  EDGE_KEY: present.optional(),
  /** `on` refuses what did not come through it; anything else lets it in. */
  EDGE_ONLY: z.string().optional(),
  /** The lowest level of the lines that are logged; `SILENT` logs none. */
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('INFO'),
  /** `on` where the stage traces: calls to other services are then parts of the trace of an invocation that X-Ray samples. */
  TRACING: z.string().optional(),
  /** Where Lambda's daemon of X-Ray takes documents: `host:port`, or `tcp:host:port udp:host:port`. Set by Lambda. */
  AWS_XRAY_DAEMON_ADDRESS: z.string().optional(),
  /** `off` prints no metrics; anything else does. */
  METRICS: z.string().optional(),
  /** `on` limits the rate of requests; anything else leaves them unlimited. */
  RATE_LIMITS: z.string().optional(),
  /** `on` where clients are developed: the redirect policy `development`; anything else is `exact`. */
  DEVELOPMENT_REDIRECTS: z.string().optional(),
  /** `on` lets Stripe compute and add tax to what is sold from then on; anything else does not. */
  AUTOMATIC_TAX: z.string().optional(),
  /** The base URL of a list of breached passwords, which new passwords are looked up in; none is asked where unset. */
  PWNED_PASSWORDS_URL: z.url().optional(),
  /** JSON of the function's own limit, `FunctionRateLimit`; of the functions that have one. */
  RATE_LIMIT: present,
  /** JSON of every path and its methods by the pages that may read the answers, for preflights and the answers 404 and 405. */
  ROUTES: present,
})

export type VariableName = keyof z.infer<typeof environment>

/**
 * The variables of `schema` (a `pick` of `environment`), checked. The only reader of `process.env`.
 * @throws z.ZodError naming what is missing or ill-formed, at cold start.
 */
export function readEnvironment<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
  return schema.parse(process.env)
}

/** Whether the stage traces. Unlike the others it is read without a check, for every start asks. */
export function isStageTraced(): boolean {
  return process.env.TRACING === 'on'
}

/** The tracing header of this invocation, which Lambda sets anew for each: `Root=1-...;Parent=...;Sampled=0`; undefined where there is none. */
export function traceHeader(): string | undefined {
  return process.env._X_AMZN_TRACE_ID
}

/** The id of the X-Ray trace of this invocation; undefined where tracing is off. */
export function traceId(): string | undefined {
  return /Root=([^;]+)/.exec(traceHeader() ?? '')?.[1]
}
