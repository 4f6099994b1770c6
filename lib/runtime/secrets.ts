import { readSecret } from '../adapters/secretsmanager/readSecret.ts'
import { environment, readEnvironment } from './environment.ts'

/** Stripe's secret API key. Throws where it is neither set nor named by an ARN, or cannot be read. */
export function stripeSecretKey(): Promise<string> {
  const variables = readEnvironment(environment.pick({ STRIPE_SECRET_KEY: true, STRIPE_SECRET_KEY_ARN: true }))
  return secretOf(variables.STRIPE_SECRET_KEY, variables.STRIPE_SECRET_KEY_ARN)
}

/** The signing secrets of the webhook endpoint that are in force: one, or two while they are rotated. */
export async function stripeWebhookSecrets(): Promise<string[]> {
  const variables = readEnvironment(
    environment.pick({ STRIPE_WEBHOOK_SECRETS: true, STRIPE_WEBHOOK_SECRETS_ARN: true }),
  )
  const secrets = await secretOf(variables.STRIPE_WEBHOOK_SECRETS, variables.STRIPE_WEBHOOK_SECRETS_ARN)
  return secrets.split(',').map((secret) => secret.trim())
}

async function secretOf(value: string | undefined, arn: string | undefined): Promise<string> {
  if (value !== undefined) return value
  if (arn === undefined) throw new Error('Neither the secret nor its ARN is set')
  const { AWS_REGION } = readEnvironment(environment.pick({ AWS_REGION: true }))
  return readSecret({ region: AWS_REGION, arn })
}
