import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

/**
 * A client of Secrets Manager with timeouts: 1 s to connect and 3 s for each attempt, 3 attempts in all. Credentials
 * come from the environment.
 */
export function createSecretsClient(options: { region: string }): SecretsManagerClient {
  return new SecretsManagerClient({
    region: options.region,
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only logs a request that takes longer.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
}
