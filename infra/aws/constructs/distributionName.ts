import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type DistributionProps, SecurityPolicyProtocol } from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'

/** How a distribution serves its own name; nothing if it has CloudFront's name only. */
export function distributionName(
  scope: Construct,
  domain: { readonly name: string; readonly certificateArn: string } | undefined,
): Pick<DistributionProps, 'domainNames' | 'minimumProtocolVersion' | 'certificate'> {
  if (domain === undefined) return {}
  return {
    domainNames: [domain.name],
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
  }
}
