import * as z from 'zod'
import { localSecrets } from '../data/demo.ts'

/** An empty variable counts as unset. */
const variable = z
  .string()
  .transform((value) => value || undefined)
  .optional()

const variables = z.object({
  AWS_ENDPOINT_URL_DYNAMODB: variable,
  AWS_ENDPOINT_URL_KMS: variable,
  AWS_ENDPOINT_URL_SESV2: variable,
  AWS_REGION: variable,
  AWS_DEFAULT_REGION: variable,
  AWS_ACCESS_KEY_ID: variable,
  AWS_PROFILE: variable,
  STRIPE_API_BASE: variable,
  STRIPE_SECRET_KEY: variable,
  STRIPE_PUBLISHABLE_KEY: variable,
  STRIPE_WEBHOOK_SECRETS: variable,
  CLOCK_URL: variable,
  TOKEN_ISSUER: variable,
  RATE_LIMITS: variable,
  AUTOMATIC_TAX: variable,
})

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
  }
}
