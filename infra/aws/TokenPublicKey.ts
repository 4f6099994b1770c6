import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CustomResource, RemovalPolicy } from 'aws-cdk-lib/core'
import { Provider } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'
import { ServiceFunction, writeLogs } from './ServiceFunction.ts'

/** The signing key, and the directory of the bundled `tokenPublicKey/handler.ts`. */
export interface TokenPublicKeyProps {
  readonly key: IKey
  readonly codeDirectory: string
}

/** The public half of the token key, read once while deploying: verifying a token then needs no call, and no permission, at all. */
export class TokenPublicKey extends Construct {
  /** Base64 of the DER SubjectPublicKeyInfo. */
  readonly value: string

  constructor(scope: Construct, id: string, props: TokenPublicKeyProps) {
    super(scope, id)
    const reader = new ServiceFunction(this, 'Reader', {
      name: 'token-public-key',
      summary: 'Read the public half of the token key while deploying',
      memoryMb: 256,
      timeoutSeconds: 30,
      codeDirectory: props.codeDirectory,
    })
    reader.allow(new PolicyStatement({ actions: ['kms:GetPublicKey'], resources: [props.key.keyArn] }))
    const resource = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::TokenPublicKey',
      serviceToken: this.provider(reader).serviceToken,
      properties: { KeyId: props.key.keyArn },
    })
    this.value = resource.getAttString('PublicKey')
  }

  /** CDK's framework function, which speaks with CloudFormation; its role is given so that it gets no managed policy. */
  private provider(reader: ServiceFunction): Provider {
    const logGroup = new LogGroup(this, 'ProviderLog', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, 'ProviderRole', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(writeLogs(logGroup))
    return new Provider(this, 'Provider', { onEventHandler: reader.lambda, frameworkOnEventRole: role, logGroup })
  }
}
