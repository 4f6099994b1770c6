import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Bucket, CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3'
import { RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { acknowledge } from '../acknowledge.ts'

/** The bucket of the console's files: private, encrypted, read over TLS only, and removed with its stack if it is empty. */
export class ConsoleFiles extends Construct {
  readonly bucket: IBucket

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const files = new CfnBucket(this, 'Bucket', {
      bucketEncryption: {
        serverSideEncryptionConfiguration: [{ serverSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
      },
      ownershipControls: { rules: [{ objectOwnership: 'BucketOwnerEnforced' }] },
      publicAccessBlockConfiguration: {
        ...{ blockPublicAcls: true, blockPublicPolicy: true, ignorePublicAcls: true, restrictPublicBuckets: true },
      },
    })
    files.applyRemovalPolicy(RemovalPolicy.DESTROY)
    // CDK's class Bucket does not fit its own interface under this project's `exactOptionalPropertyTypes`.
    this.bucket = Bucket.fromCfnBucket(files)
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:*'],
        resources: [this.bucket.bucketArn, this.bucket.arnForObjects('*')],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    )
    acknowledge(this, {
      'AwsSolutions-S1': 'Only CloudFront reads it, and what it reads is public',
      'NIST.800.53.R5-S3BucketLoggingEnabled': 'Only CloudFront reads it, and what it reads is public',
      'NIST.800.53.R5-S3BucketReplicationEnabled': 'Its files are built from the repository again',
      'NIST.800.53.R5-S3BucketVersioningEnabled': 'Its files are built from the repository again',
      'NIST.800.53.R5-S3DefaultEncryptionKMS': 'What it holds is public',
    })
  }
}
