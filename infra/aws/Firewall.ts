import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Aws, Fn, SecretValue } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { edgeHeaders } from '../../lib/http/edgeHeaders.ts'
import type { StageSettings } from '../data/stages.ts'
import { acknowledge } from './acknowledge.ts'
import { firewallRules } from './firewallRules.ts'
import { createLog } from './functionLog.ts'
import type { HttpRoutes } from './HttpRoutes.ts'

/** CloudFront's own word for who called, in place of what the viewer may have sent under the name. */
const nameViewer = `function handler(event) {
  event.request.headers['${edgeHeaders.viewer}'] = { value: event.viewer.ip }
  return event.request
}`

/**
 * CloudFront with a web ACL in front of the API: it caches nothing and passes everything on but the Host header. The API's own address
 * stays open beside it; its throttles and the functions' checks are what protects that. So that functions know their callers' addresses, each
 * request names its viewer, and proves by a key that it came this way.
 */
export class Firewall extends Construct {
  /** Where DNS points the API's name, and the API's address where it has none of its own. */
  readonly domainName: string
  /** What only this distribution sends: a reference that CloudFormation resolves. */
  readonly key: string

  constructor(scope: Construct, id: string, stage: StageSettings, { url }: HttpRoutes) {
    super(scope, id)
    const { domain } = stage
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: { metricName: 'console', cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false },
      rules: firewallRules,
    })
    // WAF logs to groups of this prefix only.
    const log = createLog(this, 'Log', stage, `aws-waf-logs-${stage.name}-console`)
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${log.logGroupName}`,
      ],
      redactedFields: [{ singleHeader: { Name: 'authorization' } }, { queryString: {} }],
    })
    const secret = new CfnSecret(this, 'Key', {
      description: 'What CloudFront proves to the functions that a request came through it with',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
    })
    const noReader = 'CloudFront and the functions get it when they are deployed; infra/README.md says how to change it'
    acknowledge(secret, {
      'AwsSolutions-SMG4': noReader,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': noReader,
      'NIST.800.53.R5-SecretsManagerUsingKMSKey': 'It is in the settings of functions, and proves an address, no more',
    })
    this.key = SecretValue.secretsManager(secret.ref).unsafeUnwrap()
    const viewer = new CloudFrontFunction(this, 'Viewer', {
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(nameViewer),
      comment: 'Names the viewer of each request',
    })
    const distribution = new Distribution(this, 'Distribution', {
      comment: `${stage.name}-console`,
      webAclId: acl.attrArn,
      ...(domain && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
      defaultBehavior: {
        origin: new HttpOrigin(Fn.select(2, Fn.split('/', url)), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [edgeHeaders.key]: this.key },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
    })
    acknowledge(distribution, {
      'AwsSolutions-CFR1': 'Sold wherever Stripe sells',
      'AwsSolutions-CFR3': 'The API’s access log and the web ACL’s log hold every request that gets here',
      ...(!domain && { 'AwsSolutions-CFR4': 'Without a name of its own CloudFront serves its default certificate' }),
    })
    this.domainName = distribution.distributionDomainName
  }
}
