import { SESv2Client } from '@aws-sdk/client-sesv2'
import { type AwsPlace, awsClientConfig } from '../awsClient.ts'

/** An SES client with the timeouts of `awsClientConfig`. */
export function createSesClient(place: AwsPlace): SESv2Client {
  return new SESv2Client(awsClientConfig(place))
}
