import {
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IResponseHeadersPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Bucket, CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3'
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { acknowledge } from '../acknowledge.ts'
import { distributionName } from '../distributionName.ts'

interface ConsoleWebsiteProps {
  /** Names the distribution, its policy and its function in the account. */
  readonly name: string
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined
  readonly apiUrl: string
  readonly issuer: string
}

/**
 * A private bucket behind CloudFront. If a path has no period, it is a page of the console and gets `index.html`. CloudFront caches
 * `assets/*`, whose names contain a hash of their content, and fetches everything else each time.
 */
export class ConsoleWebsite extends Construct {
  /** Without a trailing slash. */
  readonly url: string
  /** CloudFront's own domain name. */
  readonly domainName: string
  readonly bucketName: string

  constructor(scope: Construct, id: string, { name, domain, ...addresses }: ConsoleWebsiteProps) {
    super(scope, id)
    const { bucket } = new ConsoleFiles(this, 'Files')
    const origin = S3BucketOrigin.withOriginAccessControl(bucket)
    const headers = new ConsoleHeaders(this, 'Headers', { name, ...addresses })
    const behavior = {
      origin,
      compress: true,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: headers.policy,
    }
    const pages = new EdgeFunction(this, 'Pages', {
      functionName: name,
      comment: 'Answers the addresses of the console with its page',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(answerWithPage),
    })
    const distribution = new Distribution(this, 'Distribution', {
      comment: name,
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...distributionName(this, domain),
      defaultBehavior: {
        ...behavior,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        functionAssociations: [{ function: pages, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      additionalBehaviors: { 'assets/*': { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED } },
    })
    acknowledge(distribution, {
      'AwsSolutions-CFR1': 'Sold wherever Stripe sells',
      'AwsSolutions-CFR2': 'It serves public files and takes nothing in: there is nothing to filter',
      'AwsSolutions-CFR3':
        'Its requests are for public files, and its queries hold authorization codes, which no log may have',
      ...(!domain && { 'AwsSolutions-CFR4': 'Without a name of its own CloudFront serves its default certificate' }),
    })
    this.domainName = distribution.distributionDomainName
    this.url = `https://${domain?.name ?? this.domainName}`
    this.bucketName = bucket.bucketName
  }
}

/** A CloudFront Function: runs before the cache, when a page is requested. */
const answerWithPage = `function handler(event) {
  var request = event.request
  if (!request.uri.includes('.')) request.uri = '/index.html'
  return request
}
`

/** The bucket of the console's files: private, encrypted, read over TLS only, and removed with its stack if it is empty. */
class ConsoleFiles extends Construct {
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

interface ConsoleHeadersProps {
  readonly name: string
  readonly apiUrl: string
  readonly issuer: string
}

/** Limits browsers on the console's page to its own files, calls to the API, and what Stripe.js needs (docs.stripe.com/security/guide). */
class ConsoleHeaders extends Construct {
  readonly policy: IResponseHeadersPolicy

  constructor(scope: Construct, id: string, { name, apiUrl, issuer }: ConsoleHeadersProps) {
    super(scope, id)
    const connect = new Set(["'self'", apiUrl, issuer, 'https://api.stripe.com'])
    const contentSecurityPolicy = [
      "default-src 'none'",
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${[...connect].join(' ')}`,
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      "form-action 'self'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
    ].join('; ')
    this.policy = new ResponseHeadersPolicy(this, 'Policy', {
      responseHeadersPolicyName: name,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(730), override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=()', override: true },
        ],
      },
    })
  }
}
