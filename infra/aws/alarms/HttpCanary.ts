import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { CfnBucket } from 'aws-cdk-lib/aws-s3'
import { Canary, Code, Runtime, Schedule, Test } from 'aws-cdk-lib/aws-synthetics'
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { acknowledge } from '../constructs/acknowledge.ts'
import { findingName } from '../constructs/findingName.ts'

interface HttpCanaryProps {
  readonly name: string
  readonly minutes: number
  readonly apiUrl: string
}

/** Requests discovery, which needs a function, and a refusal, which needs the token's key. It writes nothing and reads no personal data. */
const script = `
const expected = { '/.well-known/openid-configuration': 200, '/api/users/me': 401 }
exports.handler = async () => {
  for (const [path, status] of Object.entries(expected)) {
    const answer = await fetch(process.env.API_URL + path, { signal: AbortSignal.timeout(10000) })
    await answer.text()
    if (answer.status !== status) throw new Error(path + ' answered ' + answer.status)
  }
}
`

/** Calls the API by its name as a stranger does: through DNS, certificate and firewall. If those fail, no metric of the service shows it. */
export class HttpCanary extends Construct {
  /** Percent of the runs that succeed. */
  readonly success: Metric

  constructor(scope: Construct, id: string, { name, minutes, apiUrl }: HttpCanaryProps) {
    super(scope, id)
    const canary = new Canary(this, 'Canary', {
      canaryName: name,
      runtime: Runtime.SYNTHETICS_NODEJS_3_1,
      schedule: Schedule.rate(Duration.minutes(minutes)),
      test: Test.custom({ code: Code.fromInline(script), handler: 'index.handler' }),
      timeout: Duration.seconds(30),
      environmentVariables: { API_URL: apiUrl },
      artifactsBucketLifecycleRules: [{ expiration: Duration.days(30) }],
      successRetentionPeriod: Duration.days(7),
      failureRetentionPeriod: Duration.days(30),
      provisionedResourceCleanup: true,
    })
    this.success = canary.metricSuccessPercent({ statistic: 'Minimum', period: Duration.minutes(minutes) })
    const { artifactsBucket, role } = canary
    const { defaultChild } = artifactsBucket.node
    if (!(defaultChild instanceof CfnBucket)) throw new Error('The canary has no bucket')
    defaultChild.publicAccessBlockConfiguration = {
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    }
    acknowledge(this, bucketExcuses)
    const logs = { service: 'logs', resource: 'log-group', arnFormat: ArnFormat.COLON_RESOURCE_NAME }
    const allowed = [
      '*',
      findingName(this, artifactsBucket.arnForObjects('*')),
      findingName(this, Stack.of(this).formatArn({ ...logs, resourceName: '/aws/lambda/cwsyn-*' })),
    ]
    for (const resource of allowed) acknowledge(role, { [`AwsSolutions-IAM5[Resource::${resource}]`]: ofCanary })
    acknowledge(role, { 'Serverless-LambdaStarPermissions': ofCanary, 'NIST.800.53.R5-IAMNoInlinePolicy': ofCanary })
  }
}

const results = 'It holds the results of 30 days of calls to a public address, which CloudWatch has as well'
const ofCanary = 'CDK’s role for a canary: its own results and logs, the metrics of its namespace, the list of buckets'
const bucketExcuses: Readonly<Record<string, string>> = {
  'AwsSolutions-S1': results,
  'NIST.800.53.R5-S3BucketLoggingEnabled': results,
  'NIST.800.53.R5-S3BucketReplicationEnabled': results,
  'NIST.800.53.R5-S3BucketVersioningEnabled': results,
  'NIST.800.53.R5-S3DefaultEncryptionKMS': results,
}
