import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'

export type Domain = NonNullable<StageSettings['domain']>

/** The API's own domain name, which its stage maps. It does not set DNS: point the name at `target` with an alias record. */
export class ApiDomain extends Construct {
  readonly domainName: DomainName

  constructor(scope: Construct, id: string, { name, certificateArn }: Domain) {
    super(scope, id)
    this.domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    })
  }

  get target(): string {
    return this.domainName.regionalDomainName
  }
}
