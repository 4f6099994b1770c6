import * as z from 'zod'
import { branding } from '../../lib/core/branding.ts'

const httpsUrl = z.url({ protocol: /^https$/ })
const throttle = z.strictObject({ requestsPerSecond: z.int().positive(), burst: z.int().positive() })

/** Everything that a stage may choose. Account and region are those of the operator's credentials where left out. */
export const stageSettings = z
  .strictObject({
    name: z.string().regex(/^[a-z]{2,10}$/),
    account: z
      .string()
      .regex(/^\d{12}$/)
      .optional(),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
      .optional(),
    /** The API's own name, and the certificate (ACM, same region) that holds it; API Gateway's name where left out. */
    domain: z.strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:aws:acm:') }).optional(),
    /** CloudFront with a web ACL in front of the API. AWS keeps such ACLs in us-east-1 only, and so this stage too. */
    waf: z.boolean(),
    /**
     * With `waf`, whether functions refuse calls that did not come through it. False while callers still reach the API beside it: until DNS
     * points at it, and for the deployment that changes its key.
     */
    edgeOnly: z.boolean().default(true),
    /**
     * Which key proves that a call came through `waf`. A higher number makes a new one and gives it to CloudFront and to every function:
     * infra/README.md, Secret rotation. Never lower it.
     */
    edgeKeyGeneration: z.int().min(1).default(1),
    /**
     * Serves `infra/console` from S3 and CloudFront: under a name of its own, whose certificate CloudFront wants in us-east-1, or under
     * CloudFront's. Not hosted where left out.
     */
    console: z
      .strictObject({
        domain: z
          .strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:aws:acm:us-east-1:') })
          .optional(),
        /** The public client that it is registered as: `npm run clients -- create Console --id console ...`. */
        clientId: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
        /** Of the same Stripe account as the stage's secret key. */
        stripePublishableKey: z.string().regex(/^pk_(test|live)_\w+$/),
      })
      .optional(),
    /**
     * The domain that mails are from, and the address at it. Functions send mail, so that no stage goes without. `sandbox` while SES has
     * the account in its sandbox: functions may then send to recipients that SES knows.
     */
    mail: z.strictObject({
      domain: z.hostname().lowercase(),
      from: z.email().lowercase(),
      sandbox: z.boolean().optional(),
    }),
    /** Name, colors, links and sender of pages and mails, and the application that they lead to. */
    branding,
    /** The address that alarms notify; none where left out. */
    alarmEmail: z.email().optional(),
    /** One of the periods that CloudWatch Logs knows. */
    logRetentionDays: z.literal([7, 30, 90, 180, 365]),
    /** What becomes of tables, keys and secrets with their stack. */
    removal: z.literal(['retain', 'destroy']),
    /** Of every route that `routeThrottles` (route key, such as `GET /api/users/me`) does not name. */
    throttle,
    routeThrottles: z.record(z.string(), throttle),
    /** Bulkheads: function name -> how many of it run at once, at most, and always can. */
    reservedConcurrency: z.record(z.string(), z.int().min(1)),
    /** The account's quota of concurrent executions in the region (L-B99A9384): 1,000 once AWS has raised a new account's. */
    concurrencyQuota: z.int().positive().default(1000),
    /** How often the API is called from outside; never where left out. Each call is $0.0012. */
    canaryMinutes: z.int().min(1).max(60).optional(),
    /** Above which the month's bill is mailed to `alarmEmail`; never where left out. */
    monthlyBudgetUsd: z.int().positive().optional(),
    /** A vault of AWS Backup in another account of the organization, that every table is copied to daily; none where left out. */
    backupVaultArn: z
      .string()
      .regex(/^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/)
      .optional(),
    /** AWS X-Ray traces the functions, for the requests that it samples. */
    tracing: z.boolean(),
    /** How a new version of a function takes over from the last. */
    rollout: z.literal(['all-at-once', 'canary-10-percent-5-minutes', 'linear-10-percent-every-minute']),
    /**
     * Whether a release goes on while the API, the webhook or the new version answers 5xx. CodeDeploy begins none while an alarm of it is red:
     * true for the release that mends the fault, and for one that must not wait until Stripe or AWS is available again.
     */
    releaseDuringFaults: z.boolean().default(false),
    /** Whether clients under development may use it: see `RedirectPolicy`. */
    developmentRedirects: z.boolean(),
    /** Whether callers are limited one by one (429), beyond the throttles. */
    rateLimits: z.boolean(),
    /** Whether Stripe Tax computes the tax of what is sold; purchases then need an address. What was sold before stays as it is. */
    automaticTax: z.boolean(),
    /** Whether new passwords are looked up at Have I Been Pwned, which is sent five digits of a digest; it is free, and promises nothing. */
    pwnedPasswords: z.boolean(),
    /** The `iss` of access tokens; the API's own address where left out. */
    issuer: httpsUrl.optional(),
    /** The `aud` of access tokens. */
    audience: z.string().min(1),
    /** Counts the keys that sign access tokens: one more makes a new key, whose tokens are good from then on. Never less. */
    tokenKeyGeneration: z.int().min(1),
    /** Which of them signs: the last, or the one before while not every function knows the last. */
    signingKeyGeneration: z.int().min(1),
    /**
     * Stops everything that writes the table `billing`, until it is false again: the webhook and the schedules among it, but no reads.
     * For a restore: `infra/README.md`, Restore from a backup.
     */
    maintenance: z.boolean(),
    /** Tables to use instead of the stack's own: those restored from a backup. */
    restoredTables: z.partialRecord(z.literal(['accounts', 'billing', 'auditLog']), z.string().min(3)).optional(),
  })
  .refine(({ waf, region }) => !waf || region === 'us-east-1', {
    path: ['region'],
    error: 'A web ACL for CloudFront lives in us-east-1: set region, or waf to false',
  })
  .refine(({ mail }) => mail.from.endsWith(`@${mail.domain}`), {
    path: ['mail', 'from'],
    error: 'SES sends for the domain only: name an address at it',
  })
  .refine(({ tokenKeyGeneration: last, signingKeyGeneration: signs }) => signs === last || signs === last - 1, {
    path: ['signingKeyGeneration'],
    error: 'Functions know the last two token keys: sign with one of these',
  })

export type StageSettings = Readonly<z.infer<typeof stageSettings>>

const dev = {
  name: 'dev',
  waf: false,
  // A placeholder: set your own before deploying.
  mail: { domain: 'console.example.com', from: 'no-reply@console.example.com' },
  // Another placeholder: the address of your console.
  branding: { applicationUrl: 'https://console.example.com' },
  logRetentionDays: 7,
  removal: 'destroy',
  throttle: { requestsPerSecond: 20, burst: 40 },
  routeThrottles: { 'POST /api/oauth/token': { requestsPerSecond: 10, burst: 20 } },
  reservedConcurrency: { 'stripe-webhook': 5, 'billing-sweep': 1, 'billing-reconcile': 1, 'deletions-erase': 1 },
  tracing: false,
  rollout: 'all-at-once',
  developmentRedirects: true,
  rateLimits: true,
  automaticTax: false,
  pwnedPasswords: false,
  audience: 'console',
  tokenKeyGeneration: 1,
  signingKeyGeneration: 1,
  maintenance: false,
} as const

const staging = {
  ...dev,
  name: 'staging',
  logRetentionDays: 30,
  removal: 'retain',
  tracing: true,
  rollout: 'canary-10-percent-5-minutes',
} as const

/**
 * While Stripe is slow a call to it lasts up to 28 seconds: 20 calls a second of one route then hold 560 instances. Together these may have
 * 350 of an account's 1,000, so that what does not need Stripe keeps the rest. Beyond its share a function's callers get 503, and may try again.
 */
const waitingForStripe = {
  'billing-checkout': 100,
  'billing-setup-intent': 30,
  'billing-cancel': 30,
  'billing-resume': 10,
  'billing-pay': 30,
  'billing-checkout-preview': 40,
  'billing-products': 30,
  'billing-payment-methods': 20,
  'billing-payment-method-default': 10,
  'billing-payment-method-remove': 10,
  'billing-invoices': 20,
  'billing-details': 10,
  'billing-details-update': 10,
} as const

/** Whatever the others do: 100 tokens at a time are more than 1,000 a second, 40 passwords (0.1 s of a processor each) about 200. */
const signIn = {
  'oauth-token': 100,
  'oauth-authorize': 20,
  'oauth-authorize-submit': 40,
} as const

const prod = {
  ...staging,
  name: 'prod',
  developmentRedirects: false,
  canaryMinutes: 10,
  monthlyBudgetUsd: 500,
  logRetentionDays: 365,
  throttle: { requestsPerSecond: 200, burst: 400 },
  routeThrottles: {
    'POST /api/oauth/token': { requestsPerSecond: 50, burst: 100 },
    // Each of these takes a processor for a password, or sends a mail that its recipient may not have asked for.
    'POST /api/oauth/authorize': { requestsPerSecond: 20, burst: 40 },
    'POST /api/auth/link': { requestsPerSecond: 20, burst: 40 },
    'POST /api/auth/register': { requestsPerSecond: 10, burst: 20 },
    'POST /api/auth/verify/request': { requestsPerSecond: 10, burst: 20 },
    'POST /api/auth/password/forgot': { requestsPerSecond: 10, burst: 20 },
    'POST /api/users/me/email/change': { requestsPerSecond: 10, burst: 20 },
    'POST /api/organizations/{organization_id}/invitations': { requestsPerSecond: 10, burst: 20 },
    'POST /api/billing/checkout': { requestsPerSecond: 20, burst: 40 },
    'POST /api/billing/card-gateway/setup-intent': { requestsPerSecond: 20, burst: 40 },
    'POST /api/billing/cancel': { requestsPerSecond: 20, burst: 40 },
  },
  reservedConcurrency: {
    'stripe-webhook': 50,
    'billing-sweep': 1,
    'billing-reconcile': 1,
    'deletions-erase': 1,
    ...waitingForStripe,
    ...signIn,
  },
} as const

/** Every stage, by name. The one place to change what a deployment is like. */
export const stages: Readonly<Record<string, StageSettings>> = Object.fromEntries(
  [dev, staging, prod].map((stage) => [stage.name, stageSettings.parse(stage)]),
)

/**
 * The settings of a stage.
 * @throws Error naming the stages there are, for any other
 */
export function stageNamed(name: unknown): StageSettings {
  const stage = typeof name === 'string' && Object.hasOwn(stages, name) ? stages[name] : undefined
  if (stage === undefined)
    throw new Error(`No stage ${JSON.stringify(name)}: there are ${Object.keys(stages).join(', ')}`)
  return stage
}
