import * as z from 'zod'
import { localSecrets } from '../data/demo.ts'

/** A variable and its text in `npm start -- --help`. If it is empty it counts as unset. */
const variable = (description: string) =>
  z
    .string()
    .transform((value) => value || undefined)
    .optional()
    .describe(description)

const variables = z.object({
  AWS_ENDPOINT_URL_DYNAMODB: variable('a DynamoDB to use instead of starting one'),
  DYNAMODB_LOCAL_DIR: variable('a folder with DynamoDB Local, for platforms without a bundled DynamoDB'),
  AWS_ENDPOINT_URL_KMS: variable('a KMS to use instead of the emulator'),
  AWS_ENDPOINT_URL_SESV2: variable('an SES to use instead of the emulator and its mailbox'),
  AWS_REGION: variable('us-east-1 by default'),
  AWS_DEFAULT_REGION: variable('the same, if AWS_REGION is not set'),
  AWS_ACCESS_KEY_ID: variable('credentials; dummy ones by default, which the emulators take'),
  AWS_PROFILE: variable('credentials, by name'),
  STRIPE_API_BASE: variable('a Stripe to use instead of the emulator'),
  STRIPE_SECRET_KEY: variable('a test key; without STRIPE_API_BASE, Stripe itself is used'),
  STRIPE_PUBLISHABLE_KEY: variable('the key for browsers of the same account'),
  STRIPE_WEBHOOK_SECRETS: variable('signing secret of the webhook, or two separated by a comma'),
  CLOCK_URL: variable('a clock to follow; by default the emulator’s'),
  TOKEN_ISSUER: variable('the issuer of another stack, to take its tokens; by default the own address'),
  RATE_LIMITS: variable('`on` limits requests as on AWS'),
  AUTOMATIC_TAX: variable('`on` lets Stripe add tax'),
  COMPANY_SIGN_IN: variable('`off` asks for address and password together; companies have no single sign-on then'),
  PWNED_PASSWORDS_URL: variable('a list of breached passwords to look new passwords up in; none by default'),
})

/** The variables that configure the local stack, with their descriptions. */
export const settingVariables: readonly (readonly [name: string, description: string])[] = Object.entries(
  variables.shape,
).map(([name, { description = '' }]) => [name, description])

/** Stripe's own API, used if the environment has a test key without `STRIPE_API_BASE`. */
export const STRIPE_ITSELF = 'https://api.stripe.com'

/** The URL of the emulator's clock; undefined for Stripe itself, which has no such URL. */
export function clockUrlOf(apiBase: string): string | undefined {
  return apiBase === STRIPE_ITSELF ? undefined : `${apiBase}/_emulator/clock`
}

/** The local stack starts the dependencies whose endpoints are undefined. */
export interface Settings {
  readonly dynamoDbEndpoint: string | undefined
  readonly kmsEndpoint: string | undefined
  readonly sesEndpoint: string | undefined
  readonly region: string
  readonly hasCredentials: boolean
  /** Another emulator, or Stripe itself if only a test key is given; undefined if the stack starts its own emulator. */
  readonly stripeApiBase: string | undefined
  readonly stripeSecretKey: string
  /** Of the same account as the secret key; empty if the environment has only a secret key. */
  readonly stripePublishableKey: string
  /** The current signing secret, and during a rotation the previous secret. */
  readonly webhookSecrets: readonly [current: string, previous?: string]
  readonly clockUrl: string | undefined
  /** Another stack's issuer, whose tokens this stack takes and issues; undefined if the stack is its own issuer. */
  readonly tokenIssuer: string | undefined
  readonly rateLimits: boolean
  readonly automaticTax: boolean
  readonly companySignIn: boolean
  /** A list of breached passwords. If undefined, new passwords are not looked up. */
  readonly pwnedPasswordsUrl: string | undefined
}

/** @throws Error if the Stripe key is of live mode: the local stack never charges real money */
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
    companySignIn: given.COMPANY_SIGN_IN === 'on',
    pwnedPasswordsUrl: given.PWNED_PASSWORDS_URL,
  }
}
