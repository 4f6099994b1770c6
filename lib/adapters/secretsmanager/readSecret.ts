import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

/** The text of a secret. Throws the SDK's error, or an Error for a secret that holds no text. */
export async function readSecret(options: { region: string; arn: string }): Promise<string> {
  const client = new SecretsManagerClient({
    region: options.region,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: options.arn }))
  if (!SecretString) throw new Error('The secret holds no text')
  return SecretString
}
