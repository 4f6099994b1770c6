import { SESv2Client } from '@aws-sdk/client-sesv2'

/**
 * An SES client with timeouts: 1 s to connect and 3 s for each attempt, 3 attempts in all. Credentials come from the
 * environment. Use `endpoint` for another SES than the region's.
 */
export function createSesClient(options: { endpoint?: string | undefined; region: string }): SESv2Client {
  return new SESv2Client({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only logs a request that takes longer.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
}
