import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type AwsPlace, awsClientConfig } from '../awsClient.ts'

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
