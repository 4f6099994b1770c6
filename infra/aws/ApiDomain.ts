import { ApiMapping, DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { Construct } from 'constructs'
import type { StageSettings } from '../data/stages.ts'
import type { HttpRoutes } from './HttpRoutes.ts'

/** A name of one's own for the API, and the certificate that holds it. */
export type Domain = NonNullable<StageSettings['domain']>

/** The API under a name of its own. DNS is not part of it: point the name at `target` with an alias record. */
export class ApiDomain extends Construct {
  readonly target: string

  constructor(scope: Construct, id: string, { name, certificateArn }: Domain, { api, apiStage }: HttpRoutes) {
    super(scope, id)
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    })
    new ApiMapping(this, 'Mapping', { api, domainName, stage: apiStage })
    this.target = domainName.regionalDomainName
  }
}
