import { createSecretsClient, openStoredSecret, readSecret } from '../adapters/secretsmanager/storedSecret.ts'
import { CommonError, reasonOf } from '../core/errors.ts'
import { fixedSecret, type Secret } from '../core/secret.ts'
import { clock } from './clock.ts'
import { environment } from './environment.ts'

/** Stripe's secret API key. Throws Error if the environment has neither the key nor its ARN. */
export function stripeSecretKey(): Secret {
  return openedWhenAsked(environment.STRIPE_SECRET_KEY, environment.STRIPE_SECRET_KEY_ARN)
}

/** The current signing secrets of the webhook endpoint: one secret, or two separated by a comma. Throws as above. */
export function stripeWebhookSecrets(): Secret {
  return openedWhenAsked(environment.STRIPE_WEBHOOK_SECRETS, environment.STRIPE_WEBHOOK_SECRETS_ARN)
}

/** The keys that sign the cookies of known browsers: one key, or two separated by a comma. Throws as above. */
export function knownBrowserKeys(): Secret {
  return openedWhenAsked(environment.KNOWN_BROWSER_KEY, environment.KNOWN_BROWSER_KEY_ARN)
}

/**
 * Reads the secret when it is first used, not at the cold start. If reading fails, the request is answered 503 (the webhook answers 500), and
 * the next use reads it again.
 */
function openedWhenAsked(value: string | undefined, arn: string | undefined): Secret {
  if (value !== undefined) return fixedSecret(value)
  if (arn === undefined) throw new Error('Neither the secret nor its ARN is set')
  const { AWS_REGION } = environment
  const client = createSecretsClient({ region: AWS_REGION })
  let opened: Promise<Secret> | undefined
  const secret = () => {
    opened ??= openStoredSecret(() => readSecret({ client, arn }), clock).catch((error: unknown) => {
      opened = undefined
      throw new CommonError('service_unavailable', { message: `secret not read: ${reasonOf(error)}`, cause: error })
    })
    return opened
  }
  return { current: async () => (await secret()).current(), refresh: async () => (await secret()).refresh() }
}
