import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnBucket } from 'aws-cdk-lib/aws-s3'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Canary, Code, Runtime, Schedule, Test } from 'aws-cdk-lib/aws-synthetics'
import { ArnFormat, CfnOutput, Duration, Stack } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { acknowledge } from '../constructs/acknowledge.ts'
import { findingName } from '../constructs/findingName.ts'

interface HttpCanaryProps {
  readonly stage: StageSettings
  readonly minutes: number
  readonly apiUrl: string
}

/**
 * Requests discovery, which needs a function, and a refusal, which needs the token's key. If the stage has a client for it, it also gets a token
 * and reads the entitlements of the client's own organization. It writes nothing and reads no personal data.
 */
const script = `
async function call(path, status, options) {
  const answer = await fetch(process.env.API_URL + path, { signal: AbortSignal.timeout(10000), ...options })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(path.split('?')[0] + ' answered ' + answer.status)
  return text
}
async function clientSecret() {
  const { SecretsManagerClient, GetSecretValueCommand } = require('@aws-sdk/client-secrets-manager')
  const command = new GetSecretValueCommand({ SecretId: process.env.CLIENT_SECRET_ARN })
  return (await new SecretsManagerClient({}).send(command)).SecretString.trim()
}
exports.handler = async () => {
  await call('/.well-known/openid-configuration', 200)
  await call('/api/users/me', 401)
  const { CLIENT_ID, ORGANIZATION_ID } = process.env
  if (!CLIENT_ID) return
  const client = { client_id: CLIENT_ID, client_secret: await clientSecret() }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const token = JSON.parse(await call('/api/oauth/token', 200, { method: 'POST', body })).access_token
  const headers = { authorization: 'Bearer ' + token }
  await call('/api/billing/entitlements?organization_id=' + ORGANIZATION_ID, 200, { headers })
}
`

/** Calls the API by its name as a stranger does: through DNS, certificate and firewall. If those fail, no metric of the service shows it. */
export class HttpCanary extends Construct {
  /** Percent of the runs that succeed. */
  readonly success: Metric

  constructor(scope: Construct, id: string, { stage, minutes, apiUrl }: HttpCanaryProps) {
    super(scope, id)
    const { canaryClient } = stage
    const secret = canaryClient && this.secret()
    const canary = new Canary(this, 'Canary', {
      canaryName: `${stage.name}-console`,
      runtime: Runtime.SYNTHETICS_NODEJS_3_1,
      schedule: Schedule.rate(Duration.minutes(minutes)),
      test: Test.custom({ code: Code.fromInline(script), handler: 'index.handler' }),
      timeout: Duration.seconds(30),
      environmentVariables: {
        API_URL: apiUrl,
        ...(secret && {
          CLIENT_ID: canaryClient.clientId,
          ORGANIZATION_ID: canaryClient.organizationId,
          CLIENT_SECRET_ARN: secret.ref,
        }),
      },
      artifactsBucketLifecycleRules: [{ expiration: Duration.days(30) }],
      successRetentionPeriod: Duration.days(7),
      failureRetentionPeriod: Duration.days(30),
      provisionedResourceCleanup: true,
    })
    if (secret)
      canary.role.addToPrincipalPolicy(
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.ref] }),
      )
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

  /** Empty until the secret of the client is stored. */
  private secret(): CfnSecret {
    const secret = new CfnSecret(this, 'ClientSecret', { description: 'The secret of the canary’s API client' })
    const harmless = 'It reads the entitlements of an organization that has none, and is rotated in the console'
    acknowledge(secret, {
      'AwsSolutions-SMG4': harmless,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': harmless,
      'NIST.800.53.R5-SecretsManagerUsingKMSKey': harmless,
    })
    const description = 'Where the secret of the canary’s client goes'
    new CfnOutput(this, 'ClientSecretArn', { value: secret.ref, description })
    return secret
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
