import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../core/clock.ts'
import type { Secret } from '../../core/secret.ts'
import { type AwsPlace, awsClientConfig } from '../awsClient.ts'

const MINUTE = 60_000

/** The age at which a value is read again. */
const MAX_AGE = 10 * MINUTE
/** A refused value is read again at most this often, for the refusal may have another cause. */
const MIN_AGE = MINUTE / 2

/**
 * A secret that is read once, again after 10 minutes, and again when its value was refused. If a later read fails, the
 * previous value stays in use.
 * @param read returns the text of the secret
 * @throws what `read` throws, the first time only
 */
export async function openStoredSecret(read: () => Promise<string>, clock: Clock): Promise<Secret> {
  let value = await read()
  let readAt = clock.now()
  let reading: Promise<void> | undefined

  function readAgain(): Promise<void> {
    reading ??= read()
      .then(
        (latest) => {
          value = latest
        },
        () => {},
      )
      .finally(() => {
        readAt = clock.now()
        reading = undefined
      })
    return reading
  }

  return {
    async current() {
      if (clock.now() - readAt >= MAX_AGE) await readAgain()
      return value
    },
    async refresh() {
      const refused = value
      if (clock.now() - readAt >= MIN_AGE) await readAgain()
      return value === refused ? null : value
    },
  }
}

/** A client of Secrets Manager with the timeouts of `awsClientConfig`. */
export function createSecretsClient(place: AwsPlace): SecretsManagerClient {
  return new SecretsManagerClient(awsClientConfig(place))
}

/** The text of a secret. Throws the SDK's error, or an Error for a secret that holds no text. */
export async function readSecret(options: { client: SecretsManagerClient; arn: string }): Promise<string> {
  const { SecretString } = await options.client.send(new GetSecretValueCommand({ SecretId: options.arn }))
  if (!SecretString) throw new Error('The secret holds no text')
  return SecretString
}
