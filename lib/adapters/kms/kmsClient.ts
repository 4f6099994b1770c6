import { KMSClient } from '@aws-sdk/client-kms'
import { type AwsPlace, awsClientConfig } from '../awsClient.ts'

/** A KMS client with the timeouts of `awsClientConfig`. */
export function createKmsClient(place: AwsPlace): KMSClient {
  return new KMSClient(awsClientConfig(place))
}
