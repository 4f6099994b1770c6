import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The place of an AWS service: in a region, or at another endpoint. */
export interface AwsPlace {
  readonly region: string
  readonly endpoint?: string | undefined
}

type Credentials = NonNullable<DynamoDBClientConfig['credentials']>

let credentials: Credentials | undefined

/** Has all AWS clients made from now on take these credentials, instead of those of the environment. */
export function takeCredentials(provider: Credentials): void {
  credentials = provider
}

/** The configuration of an AWS client whose calls end: 1 s to connect and 3 s for each attempt, 3 attempts in all. */
export function awsClientConfig({ region, endpoint }: AwsPlace) {
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only logs a request that takes longer.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  }
}
