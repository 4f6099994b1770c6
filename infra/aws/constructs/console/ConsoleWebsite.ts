import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import { acknowledge } from '../acknowledge.ts'
import { ConsoleFiles } from './ConsoleFiles.ts'
import { ConsoleHeaders } from './ConsoleHeaders.ts'

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
      ...(domain && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
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
