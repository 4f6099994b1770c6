import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

/** The text of a secret. Throws the SDK's error, or an Error for a secret that holds no text. */
export async function readSecret(options: { client: SecretsManagerClient; arn: string }): Promise<string> {
  const { SecretString } = await options.client.send(new GetSecretValueCommand({ SecretId: options.arn }))
  if (!SecretString) throw new Error('The secret holds no text')
  return SecretString
}
