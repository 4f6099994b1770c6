import { readSecret } from '../adapters/secretsmanager/readSecret.ts'
import { createSecretsClient } from '../adapters/secretsmanager/secretsClient.ts'
import { openStoredSecret } from '../adapters/secretsmanager/storedSecret.ts'
import { CommonError, reasonOf } from '../core/errors.ts'
import { fixedSecret, type Secret } from '../core/secret.ts'
import { clock } from './clock.ts'
import { environment } from './environment.ts'

/** Stripe's secret API key. Throws where it is neither set nor named by an ARN. */
export function stripeSecretKey(): Secret {
  return openedWhenAsked(environment.STRIPE_SECRET_KEY, environment.STRIPE_SECRET_KEY_ARN)
}

/** The current signing secrets of the webhook endpoint, as one text: one, or two separated by a comma. Throws as above. */
export function stripeWebhookSecrets(): Secret {
  return openedWhenAsked(environment.STRIPE_WEBHOOK_SECRETS, environment.STRIPE_WEBHOOK_SECRETS_ARN)
}

/** The keys of the cookies of known browsers, as one text: one, or two separated by a comma. Throws as above. */
export function knownBrowserKeys(): Secret {
  return openedWhenAsked(environment.KNOWN_BROWSER_KEY, environment.KNOWN_BROWSER_KEY_ARN)
}

/**
 * A secret that a function does without until it is asked for: so it does not lengthen every start. Where it cannot be read it is asked for again
 * the next time, and the request is answered 503, by the webhook 500.
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
