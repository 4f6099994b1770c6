import * as z from 'zod'
import { branding } from '../../lib/core/branding.ts'

const httpsUrl = z.url({ protocol: /^https$/ })
const throttle = z.strictObject({ requestsPerSecond: z.int().positive(), burst: z.int().positive() })

/** The region that an ARN names. */
function regionOf(arn: string): string | undefined {
  return arn.split(':')[3]
}

/** As the service makes them (`lib/core/ids.ts`). */
const apiClientId = z.string().regex(/^client_[0-9a-f]{32}_[0-9a-f]{32}$/)

/** The settings of a stage. If account and region are left out, those of the operator's credentials apply. */
export const stageSettings = z
  .strictObject({
    name: z.string().regex(/^[a-z]{2,10}$/),
    account: z
      .string()
      .regex(/^\d{12}$/)
      .optional(),
    region: z
      .string()
      .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/)
      .optional(),
    /** The API's own domain name and its certificate (ACM, in the stage's `region`, which must be set); API Gateway's name if left out. */
    domain: z.strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:aws:acm:') }).optional(),
    /** CloudFront with a web ACL in front of the API. AWS allows these ACLs in us-east-1 only, so the stage must be there too. */
    waf: z.boolean(),
    /**
     * With `waf`, whether functions refuse calls that did not come through it. Set false when callers still bypass it: until DNS points at it,
     * and for the deployment that changes its key.
     */
    edgeOnly: z.boolean().default(true),
    /**
     * The generation of the key that proves that a call came through `waf`. If you raise it, CloudFront and every function get a new key:
     * infra/runbook/keys.md, Secret rotation. Never lower it.
     */
    edgeKeyGeneration: z.int().min(1).default(1),
    /**
     * Serves `infra/console` from S3 and CloudFront, under its own name, with a certificate in us-east-1, or under CloudFront's name. Not hosted
     * if left out.
     */
    console: z
      .strictObject({
        domain: z
          .strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:aws:acm:us-east-1:') })
          .optional(),
        /** The id of its public client: `npm run clients -- create Console --id console ...`. */
        clientId: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
        /** From the same Stripe account as the stage's secret key. */
        stripePublishableKey: z.string().regex(/^pk_(test|live)_\w+$/),
      })
      .optional(),
    /**
     * The domain and the address that mails come from. Every stage needs them. Set `sandbox` when SES has the account in its sandbox: functions may
     * then send to recipients that SES knows.
     */
    mail: z.strictObject({
      domain: z.hostname().lowercase(),
      from: z.email().lowercase(),
      sandbox: z.boolean().optional(),
    }),
    /** Name, colors, links and sender of pages and mails, and the application that they link to. */
    branding,
    /** The address that alarms notify if customers are harmed now; none if left out. */
    alarmEmail: z.email().optional(),
    /** The address that all other alarms notify; `alarmEmail` if left out. */
    ticketEmail: z.email().optional(),
    /** A retention period that CloudWatch Logs supports. */
    logRetentionDays: z.literal([7, 30, 90, 180, 365]),
    /** Whether tables, keys and secrets are kept or deleted when their stack is deleted. */
    removal: z.literal(['retain', 'destroy']),
    /** For every route that is not in `routeThrottles` (route key, such as `GET /api/users/me`). */
    throttle,
    routeThrottles: z.record(z.string(), throttle),
    /** Bulkheads: function name -> reserved concurrency. So many can always run at once, and no more. */
    reservedConcurrency: z.record(z.string(), z.int().min(1)),
    /** The account's quota of concurrent executions in the region (L-B99A9384): 1,000 when AWS has raised that of a new account. */
    concurrencyQuota: z.int().positive().default(1000),
    /** Minutes between calls to the API from outside; no calls if left out. Each call costs $0.0012. */
    canaryMinutes: z.int().min(1).max(60).optional(),
    /**
     * An API client with the scope `entitlements:read`, of an organization that exists for nothing else. The canary gets a token with it and reads
     * that organization's entitlements, so that keys, audience, tables and revocation are proven. Its secret is stored once:
     * infra/runbook/first-deployment.md. The canary only calls as a stranger if left out. New versions must also serve it, without its secret, before they
     * get traffic.
     */
    canaryClient: z.strictObject({ clientId: apiClientId, organizationId: z.guid() }).optional(),
    /** The budget per month, with mails to `alarmEmail` when it is exceeded; no budget if left out. */
    monthlyBudgetUsd: z.int().positive().optional(),
    /** A vault of AWS Backup in another account of the organization, for a daily copy of every table; no copies if left out. */
    backupVaultArn: z
      .string()
      .regex(/^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/)
      .optional(),
    /** AWS X-Ray traces the functions, for the requests that it samples. */
    tracing: z.boolean(),
    /** How traffic shifts to a new version of a function. */
    rollout: z.literal(['all-at-once', 'canary-10-percent-5-minutes', 'linear-10-percent-every-minute']),
    /**
     * Whether a release continues when the API, the webhook or the new version answers 5xx. CodeDeploy starts no release when an alarm of it is
     * red. Set it true for the release that fixes the fault, or if a release must not wait until Stripe or AWS is available again.
     */
    releaseDuringFaults: z.boolean().default(false),
    /** Whether clients under development may use it: see `RedirectPolicy`. */
    developmentRedirects: z.boolean(),
    /** Whether each caller is limited (429), in addition to the throttles. */
    rateLimits: z.boolean(),
    /** Whether Stripe Tax computes the tax of purchases. If so, they need an address. Earlier purchases do not change. */
    automaticTax: z.boolean(),
    /**
     * Whether companies may have single sign-on: sign-in asks for the address first then, and leads to the provider of the address's company.
     */
    companySignIn: z.boolean().default(false),
    /** Whether the service sends mails about money. Set false if Stripe's own mails are on, because they say the same. */
    moneyMails: z.boolean().default(true),
    /** Whether to look new passwords up at Have I Been Pwned, by five digits of a digest. The service is free, without a guarantee. */
    pwnedPasswords: z.boolean(),
    /** The `iss` of access tokens; the API's own address if left out. */
    issuer: httpsUrl.optional(),
    /** The `aud` of access tokens. */
    audience: z.string().min(1),
    /** The number of keys that sign access tokens. If you raise it, a new key is made, and its tokens are valid from then on. Never lower it. */
    tokenKeyGeneration: z.int().min(1),
    /** Which key signs: the last, or the previous key if some functions do not know the last yet. */
    signingKeyGeneration: z.int().min(1),
    /**
     * If true, stops all functions that write the table `billing`, including the webhook and the schedules, but no reads. For a restore:
     * `infra/runbook/restore.md`.
     */
    maintenance: z.boolean(),
    /** Tables restored from a backup, used instead of the stack's own. */
    restoredTables: z
      .partialRecord(z.literal(['accounts', 'billing', 'auditLog', 'events']), z.string().min(3))
      .optional(),
  })
  .refine(({ waf, region }) => !waf || region === 'us-east-1', {
    path: ['region'],
    error: 'A web ACL for CloudFront lives in us-east-1: set region, or waf to false',
  })
  .refine(({ domain, region }) => domain === undefined || regionOf(domain.certificateArn) === region, {
    path: ['domain', 'certificateArn'],
    error: 'API Gateway takes certificates of its own region only: set region to that of the certificate',
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
  reservedConcurrency: {
    'stripe-webhook': 5,
    'billing-sweep': 1,
    'billing-mails': 1,
    'events-relay': 10,
    'events-deliver': 10,
    'billing-reconcile': 1,
    'deletions-erase': 1,
    'domains-check': 1,
    'factor-resets-run': 1,
  },
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
 * When Stripe is slow, a call to it lasts up to 28 seconds: 20 calls a second to a route then hold 560 instances. Together these functions may
 * have 350 of an account's 1,000, so that functions without Stripe keep the rest. If a function is over its share, callers get 503 and may retry.
 */
const waitingForStripe = {
  'billing-checkout': 100,
  'billing-setup-intent': 30,
  'billing-cancel': 30,
  'billing-resume': 10,
  'billing-pay': 30,
  'billing-checkout-preview': 30,
  'billing-products': 30,
  'billing-payment-methods': 15,
  'billing-payment-method': 5,
  'billing-payment-method-default': 10,
  'billing-payment-method-remove': 10,
  'organizations-delete': 5,
  'users-me-delete': 5,
  'billing-invoices': 15,
  'billing-invoice': 5,
  'billing-details': 10,
  'billing-details-update': 10,
} as const

/** Reserved whatever the others do. 100 tokens at a time are more than 1,000 a second; 40 passwords (0.1 s of a processor each) about 200. */
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
    // Each of these uses a processor for a password, or sends a mail that its recipient may not have asked for.
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
    'billing-mails': 1,
    'events-relay': 20,
    'events-deliver': 10,
    'billing-reconcile': 1,
    'deletions-erase': 1,
    'domains-check': 1,
    'factor-resets-run': 1,
    ...waitingForStripe,
    ...signIn,
  },
} as const

/** Every stage, by name. Change deployments here only. */
export const stages: Readonly<Record<string, StageSettings>> = Object.fromEntries(
  [dev, staging, prod].map((stage) => [stage.name, stageSettings.parse(stage)]),
)

/**
 * The settings of a stage.
 * @throws Error with the names of all stages if there is no such stage
 */
export function stageNamed(name: unknown): StageSettings {
  const stage = typeof name === 'string' && Object.hasOwn(stages, name) ? stages[name] : undefined
  if (stage === undefined)
    throw new Error(`No stage ${JSON.stringify(name)}: there are ${Object.keys(stages).join(', ')}`)
  return stage
}
