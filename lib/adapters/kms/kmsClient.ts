import { KMSClient } from '@aws-sdk/client-kms'

/**
 * A KMS client whose calls end: 1 s to connect and 3 s for each attempt, 3 attempts in all. Credentials come from the
 * environment. `endpoint` names another KMS than the region's.
 */
export function createKmsClient(options: { endpoint?: string | undefined; region: string }): KMSClient {
  return new KMSClient({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only logs a request that takes longer.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
}
