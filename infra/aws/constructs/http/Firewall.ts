import {
  AllowedMethods,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Aws, Duration, Fn, SecretValue } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { edgeHeaders } from '../../../../lib/http/security/clientNetwork.ts'
import type { StageSettings } from '../../../data/stages.ts'
import { acknowledge } from '../acknowledge.ts'
import { distributionName } from '../distributionName.ts'
import { createLog, withAddresses } from '../functions/functionLog.ts'
import type { ApiDomain } from './ApiDomain.ts'
import { firewallRules, rateLimitedBody } from './firewallRules.ts'
import type { HttpRoutes } from './HttpRoutes.ts'

/** CloudFront's header for the viewer's country. If the origin request policy names it, CloudFront replaces what the viewer sent. */
const COUNTRY = 'CloudFront-Viewer-Country'

/** Replaces whatever the viewer sent in these headers with the address and the country that CloudFront saw. */
const nameViewer = (country: 'with_country' | 'without_country') => `function handler(event) {
  var headers = event.request.headers
  headers['${edgeHeaders.viewer}'] = { value: event.viewer.ip }
  delete headers['${edgeHeaders.country}']
${country === 'without_country' ? '' : `  if (headers['${COUNTRY.toLowerCase()}']) headers['${edgeHeaders.country}'] = headers['${COUNTRY.toLowerCase()}']\n`}  return event.request
}`

/** Every error status that CloudFront would cache (CloudFront's developer guide, How CloudFront processes HTTP 4xx and 5xx status codes). */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

interface FirewallProps {
  readonly stage: StageSettings
  readonly routes: HttpRoutes
  readonly apiDomain: ApiDomain | undefined
}

/**
 * CloudFront with a web ACL in front of the API. It caches nothing and passes everything on, except the Host header if the API has no own name.
 * Each request names its viewer, because functions count callers by address, and carries a key to prove that it came through CloudFront. With
 * `edgeOnly`, functions refuse requests without the key. That is needed even if API Gateway's own address is closed (`HttpRoutes`), which takes
 * an own name: callers can still connect to API Gateway's endpoint under that name, whatever DNS says.
 */
export class Firewall extends Construct {
  /** The target for DNS; the API's address if it has no own name. */
  readonly domainName: string
  /** The secret that only this distribution sends, as a reference that CloudFormation resolves. */
  readonly key: string
  /** The web ACL's name in CloudWatch, and the distribution's. Stages of an account share the namespace. */
  readonly aclMetric: string
  readonly distributionId: string

  constructor(scope: Construct, id: string, { stage, routes, apiDomain }: FirewallProps) {
    super(scope, id)
    const { domain } = stage
    this.aclMetric = `${stage.name}-console`
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: { metricName: this.aclMetric, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false },
      rules: firewallRules,
      customResponseBodies: {
        [rateLimitedBody.key]: { contentType: 'APPLICATION_JSON', content: rateLimitedBody.content },
      },
      // Whole bodies: the API takes 32 KiB.
      associationConfig: { requestBody: { CLOUDFRONT: { defaultSizeInspectionLimit: 'KB_32' } } },
    })
    // WAF logs to groups of this prefix only.
    const log = createLog(this, 'Log', withAddresses(stage), `aws-waf-logs-${stage.name}-console`)
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${log.logGroupName}`,
      ],
      redactedFields: [
        { singleHeader: { Name: 'authorization' } },
        // The session of the hosted pages.
        { singleHeader: { Name: 'cookie' } },
        { queryString: {} },
      ],
    })
    const { edgeKeyGeneration: generation } = stage
    // Keep the previous key: it is needed if the deployment is rolled back.
    if (generation > 1) this.secret(generation - 1)
    this.key = SecretValue.secretsManager(this.secret(generation).ref).unsafeUnwrap()
    const viewer = new CloudFrontFunction(this, 'Viewer', {
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(nameViewer(apiDomain ? 'with_country' : 'without_country')),
      comment: 'Names the viewer of each request',
    })
    const distribution = new Distribution(this, 'Distribution', {
      comment: `${stage.name}-console`,
      webAclId: acl.attrArn,
      ...distributionName(this, domain),
      defaultBehavior: {
        origin: new HttpOrigin(apiDomain?.target ?? Fn.select(2, Fn.split('/', routes.url)), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [edgeHeaders.key]: this.key },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // If the API has a name, API Gateway finds it by that. Its own address accepts no other Host, and CloudFront has no policy that leaves
        // out the Host and adds the country.
        originRequestPolicy: apiDomain
          ? new OriginRequestPolicy(this, 'Viewers', {
              headerBehavior: OriginRequestHeaderBehavior.all(COUNTRY),
              cookieBehavior: OriginRequestCookieBehavior.all(),
              queryStringBehavior: OriginRequestQueryStringBehavior.all(),
            })
          : OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      // By default CloudFront caches errors for 10 seconds, so that a caller could get the 404 of another.
      errorResponses: errorStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    })
    acknowledge(distribution, {
      'AwsSolutions-CFR1': 'Sold wherever Stripe sells',
      'AwsSolutions-CFR3': 'The API’s access log and the web ACL’s log hold every request that gets here',
      ...(!domain && { 'AwsSolutions-CFR4': 'Without a name of its own CloudFront serves its default certificate' }),
    })
    this.domainName = distribution.distributionDomainName
    this.distributionId = distribution.distributionId
  }

  /** Named by generation: CloudFormation reads the value again only if the template changes, not when the value does. */
  private secret(generation: number): CfnSecret {
    const secret = new CfnSecret(this, `Key${generation}`, {
      description: 'What CloudFront proves to the functions that a request came through it with',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
    })
    const noReader =
      'CloudFront and the functions get it when they are deployed; infra/runbook/keys.md says how to change it'
    acknowledge(secret, {
      'AwsSolutions-SMG4': noReader,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': noReader,
      'NIST.800.53.R5-SecretsManagerUsingKMSKey': 'It is in the settings of functions, and proves an address, no more',
    })
    return secret
  }
}
