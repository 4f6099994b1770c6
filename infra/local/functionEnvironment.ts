import { tables } from '../../lib/adapters/dynamodb/tables.ts'
import type { VariableName } from '../../lib/runtime/environment.ts'
import { localAudience, localKeys, localMail, localSecrets } from '../data/demo.ts'
import type { LocalInfo } from './info.ts'
import type { Closable } from './resourceScope.ts'
import { STRIPE_ITSELF } from './settings.ts'

type Variables = Readonly<Partial<Record<VariableName | `AWS_${string}`, string>>>

/** The emulators ignore credentials, but no SDK sends a request without them. */
export const dummyCredentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' } as const

interface EnvironmentSource {
  readonly info: Pick<
    LocalInfo,
    'base_url' | 'issuer' | 'dynamodb_endpoint' | 'kms_endpoint' | 'kms' | 'stripe' | 'mail' | 'dns' | 'tables'
  >
  readonly tokenPublicKey: string
  readonly clockUrl: string | undefined
  /** Limits requests if true. Defaults to false. */
  readonly rateLimits?: boolean | undefined
  /** Lets Stripe compute tax if true. Defaults to false. */
  readonly automaticTax?: boolean | undefined
  /** Asks for the address first at a sign-in if true. Defaults to false. */
  readonly companySignIn?: boolean | undefined
  /** A list of breached passwords. If undefined, new passwords are not looked up. */
  readonly pwnedPasswordsUrl?: string | undefined
  /** Suppresses the functions' logs. By default they log warnings and errors. */
  readonly quiet?: boolean | undefined
}

/** The variables of the functions on the local stack, with the names that `infra/aws` sets on Lambda. */
export function functionEnvironment(source: EnvironmentSource): Variables {
  const { info, tokenPublicKey, clockUrl, rateLimits, automaticTax, companySignIn, pwnedPasswordsUrl, quiet } = source
  const { api_base, secret_key, webhook_secret, previous_webhook_secret } = info.stripe
  return {
    AWS_ENDPOINT_URL_DYNAMODB: info.dynamodb_endpoint,
    AWS_ENDPOINT_URL_KMS: info.kms_endpoint,
    AWS_ENDPOINT_URL_SESV2: info.mail.endpoint,
    [tables.accounts.environmentVariable]: info.tables.accounts,
    [tables.billing.environmentVariable]: info.tables.billing,
    [tables.auditLog.environmentVariable]: info.tables.audit_log,
    [tables.events.environmentVariable]: info.tables.events,
    EVENT_DESTINATIONS: 'public_or_loopback',
    DNS_SERVERS: info.dns.server,
    CUSTOMER_KEY_ID: localKeys.customer,
    TOKEN_KEY_ID: localKeys.token,
    TOKEN_PUBLIC_KEY: tokenPublicKey,
    TOKEN_ISSUER: info.issuer,
    TOKEN_AUDIENCE: localAudience,
    STRIPE_SECRET_KEY: secret_key,
    STRIPE_WEBHOOK_SECRETS: [webhook_secret, previous_webhook_secret].filter((secret) => secret !== '').join(','),
    KNOWN_BROWSER_KEY: localSecrets.knownBrowserKey,
    ...(api_base !== STRIPE_ITSELF && { STRIPE_API_BASE: api_base }),
    MAIL_FROM: localMail.from,
    ACCOUNT_URL: info.base_url,
    BRANDING: JSON.stringify({ applicationUrl: `${info.base_url}/_local/console` }),
    ...(clockUrl !== undefined && { CLOCK_URL: clockUrl }),
    RATE_LIMITS: rateLimits ? 'on' : 'off',
    DEVELOPMENT_REDIRECTS: 'on',
    AUTOMATIC_TAX: automaticTax ? 'on' : 'off',
    COMPANY_SIGN_IN: companySignIn ? 'on' : 'off',
    ...(pwnedPasswordsUrl !== undefined && { PWNED_PASSWORDS_URL: pwnedPasswordsUrl }),
    // The server prints a line for each request.
    METRICS: 'off',
    LOG_LEVEL: quiet ? 'SILENT' : 'WARN',
  }
}

/** Sets variables of this process. `close` restores them. */
export function setEnvironment(variables: Variables): Closable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return {
    async close() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}
