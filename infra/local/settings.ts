import * as z from 'zod'
import { localSecrets } from '../data/demo.ts'

/** A variable and what `npm start -- --help` says of it. An empty one counts as unset. */
const variable = (description: string) =>
  z
    .string()
    .transform((value) => value || undefined)
    .optional()
    .describe(description)

const variables = z.object({
  AWS_ENDPOINT_URL_DYNAMODB: variable('a DynamoDB to use instead of starting one'),
  AWS_ENDPOINT_URL_KMS: variable('a KMS to use instead of the emulator'),
  AWS_ENDPOINT_URL_SESV2: variable('an SES to use instead of the emulator and its mailbox'),
  AWS_REGION: variable('us-east-1 by default'),
  AWS_DEFAULT_REGION: variable('the same, where AWS_REGION is not set'),
  AWS_ACCESS_KEY_ID: variable('credentials; dummy ones by default, which the emulators take'),
  AWS_PROFILE: variable('credentials, by name'),
  STRIPE_API_BASE: variable('a Stripe to use instead of the emulator'),
  STRIPE_SECRET_KEY: variable('a test key; without STRIPE_API_BASE, Stripe itself is used'),
  STRIPE_PUBLISHABLE_KEY: variable('the key for browsers of the same account'),
  STRIPE_WEBHOOK_SECRETS: variable('signing secret of the webhook, or two separated by a comma'),
  CLOCK_URL: variable('a clock to follow; by default the emulator’s'),
  TOKEN_ISSUER: variable('the issuer of another stack, whose tokens are then taken; by default the own address'),
  RATE_LIMITS: variable('`on` limits requests as on AWS'),
  AUTOMATIC_TAX: variable('`on` lets Stripe add tax'),
  PWNED_PASSWORDS_URL: variable('a list of breached passwords to look new ones up in; none by default'),
})

/** The variables that configure the local stack, each with what it sets. */
export const settingVariables: readonly (readonly [name: string, description: string])[] = Object.entries(
  variables.shape,
).map(([name, { description = '' }]) => [name, description])

/** Stripe's own API, used where a test key is given without `STRIPE_API_BASE`. */
export const STRIPE_ITSELF = 'https://api.stripe.com'

/** The URL of the emulator's clock; undefined for Stripe itself, which has none. */
export function clockUrlOf(apiBase: string): string | undefined {
  return apiBase === STRIPE_ITSELF ? undefined : `${apiBase}/_emulator/clock`
}

/** Which dependencies are given; the local stack starts the others. */
export interface Settings {
  readonly dynamoDbEndpoint: string | undefined
  readonly kmsEndpoint: string | undefined
  readonly sesEndpoint: string | undefined
  readonly region: string
  readonly hasCredentials: boolean
  /** Another emulator, or Stripe itself where only a test key is given; undefined where the stack starts its own emulator. */
  readonly stripeApiBase: string | undefined
  readonly stripeSecretKey: string
  /** Of the same account as the secret key; empty where only the secret key of another account is given. */
  readonly stripePublishableKey: string
  /** The current signing secret, and the previous one while it is rotated. */
  readonly webhookSecrets: readonly [current: string, previous?: string]
  readonly clockUrl: string | undefined
  /** Another stack's issuer, whose tokens this one takes and issues; undefined where it is an issuer of its own. */
  readonly tokenIssuer: string | undefined
  readonly rateLimits: boolean
  readonly automaticTax: boolean
  /** A list of breached passwords; none is asked where undefined. */
  readonly pwnedPasswordsUrl: string | undefined
}

/**
 * Reads the variables that configure the local stack.
 * @throws Error for a Stripe key of live mode: the local stack never charges real money
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = variables.parse(env)
  const key = given.STRIPE_SECRET_KEY
  if (key !== undefined && /^[a-z]+_live_/.test(key))
    throw new Error('STRIPE_SECRET_KEY is a key of live mode: use a test key')
  const [current = localSecrets.webhookSecret, previous] = given.STRIPE_WEBHOOK_SECRETS?.split(',') ?? [
    localSecrets.webhookSecret,
    localSecrets.previousWebhookSecret,
  ]
  return {
    dynamoDbEndpoint: given.AWS_ENDPOINT_URL_DYNAMODB,
    kmsEndpoint: given.AWS_ENDPOINT_URL_KMS,
    sesEndpoint: given.AWS_ENDPOINT_URL_SESV2?.replace(/\/+$/, ''),
    region: given.AWS_REGION ?? given.AWS_DEFAULT_REGION ?? 'us-east-1',
    hasCredentials: given.AWS_ACCESS_KEY_ID !== undefined || given.AWS_PROFILE !== undefined,
    stripeApiBase: given.STRIPE_API_BASE?.replace(/\/+$/, '') ?? (key && STRIPE_ITSELF),
    stripeSecretKey: key ?? localSecrets.stripeSecretKey,
    stripePublishableKey: given.STRIPE_PUBLISHABLE_KEY ?? (key === undefined ? localSecrets.stripePublishableKey : ''),
    webhookSecrets: previous === undefined ? [current] : [current, previous],
    clockUrl: given.CLOCK_URL,
    tokenIssuer: given.TOKEN_ISSUER?.replace(/\/+$/, ''),
    rateLimits: given.RATE_LIMITS === 'on',
    automaticTax: given.AUTOMATIC_TAX === 'on',
    pwnedPasswordsUrl: given.PWNED_PASSWORDS_URL,
  }
}
