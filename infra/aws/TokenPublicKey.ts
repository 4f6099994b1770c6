import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import { CustomResource } from 'aws-cdk-lib/core'
import { Provider } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'
import type { StageSettings } from '../data/stages.ts'
import { acknowledge } from './acknowledge.ts'
import { createLog, writeLogs } from './functionLog.ts'
import { createFunctionRole } from './functionRole.ts'
import { publicKeyReader } from './Keys.ts'
import { ServiceFunction } from './ServiceFunction.ts'

/** The signing key, and the directory of the bundled `tokenPublicKey/handler.ts`. */
export interface TokenPublicKeyProps {
  readonly stage: StageSettings
  readonly key: IKey
  readonly codeDirectory: string
}

/** The public half of the token key, read once while deploying: verifying a token then needs no call, and no permission, at all. */
export class TokenPublicKey extends Construct {
  /** What the variable `TOKEN_PUBLIC_KEY` holds: the key's id, a colon, and base64 of the DER SubjectPublicKeyInfo. */
  readonly value: string

  constructor(scope: Construct, id: string, { stage, key, codeDirectory }: TokenPublicKeyProps) {
    super(scope, id)
    const reader = new ServiceFunction(this, 'Reader', {
      stage,
      name: publicKeyReader,
      summary: 'Read the public half of the token key while deploying',
      memoryMb: 256,
      timeoutSeconds: 30,
      codeDirectory,
    })
    reader.allow(new PolicyStatement({ actions: ['kms:GetPublicKey'], resources: [key.keyArn] }))
    // Named by generation: a new key must change the template of every function that verifies, or none gets a new version.
    const resource = new CustomResource(this, `Generation${stage.tokenKeyGeneration}`, {
      resourceType: 'Custom::TokenPublicKey',
      serviceToken: this.provider(reader, stage).serviceToken,
      properties: { KeyId: key.keyArn },
    })
    this.value = resource.getAttString('PublicKey')
  }

  /** CDK's framework function, which speaks with CloudFormation; its role is given so that it gets no managed policy. */
  private provider(reader: ServiceFunction, stage: StageSettings): Provider {
    const logGroup = createLog(this, 'ProviderLog', stage)
    const role = createFunctionRole(this, 'ProviderRole')
    role.addToPolicy(writeLogs(logGroup))
    const onEventHandler = reader.lambda
    const provider = new Provider(this, 'Provider', { onEventHandler, frameworkOnEventRole: role, logGroup })
    acknowledge(role, {
      [`AwsSolutions-IAM5[Resource::<${logicalId(reader)}.Arn>:*]`]: 'Any version of the one function that it calls',
    })
    const framework = 'CDK’s own function, called by CloudFormation while deploying, which fails with it'
    acknowledge(provider, {
      'NIST.800.53.R5-LambdaConcurrency': framework,
      'NIST.800.53.R5-LambdaDLQ': framework,
      'NIST.800.53.R5-LambdaInsideVPC': framework,
      'Serverless-LambdaDLQ': framework,
      'Serverless-LambdaDefaultMemorySize': framework,
      'Serverless-LambdaTracing': framework,
    })
    return provider
  }
}

/** The logical id of a function, by which the rule pack names it. */
function logicalId({ lambda }: ServiceFunction): string {
  const { defaultChild } = lambda.node
  return defaultChild instanceof CfnFunction ? `${lambda.stack.resolve(defaultChild.logicalId)}` : ''
}
