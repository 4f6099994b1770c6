import { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import { CustomResource } from 'aws-cdk-lib/core'
import { Provider } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import type { KmsUse } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import { publicKeyReader } from '../functionNames.ts'
import { FunctionRole } from '../functions/FunctionRole.ts'
import { createLog, writeLogs } from '../functions/functionLog.ts'
import { ServiceFunction } from '../functions/ServiceFunction.ts'
import type { Keys, TokenKey } from './Keys.ts'

/** The issuer (`iss`) of access tokens and the key that signs them; the stage sets the audience (`aud`). */
interface AccessTokensProps {
  readonly stage: StageSettings
  readonly keys: Keys
  readonly issuer: string
  readonly codeDirectory: string
}

/** Access tokens (RFC 9068): `oauth-token` signs them, and every function with a signed-in caller verifies them. */
export class AccessTokens extends Construct {
  private readonly props: AccessTokensProps
  private readonly publicKey: TokenPublicKey

  constructor(scope: Construct, id: string, props: AccessTokensProps) {
    super(scope, id)
    this.props = props
    this.publicKey = new TokenPublicKey(this, 'PublicKey', {
      stage: props.stage,
      keys: props.keys.verifying,
      codeDirectory: props.codeDirectory,
    })
  }

  /** Lets a function sign tokens, and sets the variables with key, issuer and audience. */
  grantSign(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    this.props.keys.grantToken(fn, uses)
    this.setClaims(fn)
  }

  /** Sets the issuer of tokens in a function's environment. */
  nameIssuer(fn: ServiceFunction): void {
    fn.setVariable('TOKEN_ISSUER', this.props.issuer)
  }

  /** Gives a function the public keys and claims to verify tokens by itself. It needs no permission. */
  grantVerify(fn: ServiceFunction): void {
    fn.setVariable('TOKEN_PUBLIC_KEY', this.publicKey.value)
    this.setClaims(fn)
  }

  private setClaims(fn: ServiceFunction): void {
    this.nameIssuer(fn)
    fn.setVariable('TOKEN_AUDIENCE', this.props.stage.audience)
  }
}

/** The keys to verify with, and the directory of the bundled `tokenPublicKey/handler.ts`. */
interface TokenPublicKeyProps {
  readonly stage: StageSettings
  readonly keys: readonly TokenKey[]
  readonly codeDirectory: string
}

/** The public halves of the token keys, read once while deploying: verifying a token then needs no call, and no permission, at all. */
class TokenPublicKey extends Construct {
  /**
   * What the variable `TOKEN_PUBLIC_KEY` holds: of each key its id, a colon, and base64 of its DER SubjectPublicKeyInfo, with a comma
   * between the keys.
   */
  readonly value: string

  constructor(scope: Construct, id: string, { stage, keys, codeDirectory }: TokenPublicKeyProps) {
    super(scope, id)
    const reader = new ServiceFunction(this, 'Reader', {
      stage,
      name: publicKeyReader,
      summary: 'Read the public halves of the token keys while deploying',
      memoryMb: 256,
      // Waits for permissions that were made in the same deployment.
      timeoutSeconds: 180,
      codeDirectory,
    })
    reader.allow({ actions: ['kms:GetPublicKey'], resources: keys.map(({ key }) => key.keyArn) })
    const { serviceToken } = this.provider(reader, stage)
    const read = ({ generation, key }: TokenKey) =>
      // Named by generation: a new key must change the template of every function that verifies, or none gets a new version.
      new CustomResource(this, `Generation${generation}`, {
        resourceType: 'Custom::TokenPublicKey',
        serviceToken,
        // The form of the answer is a property, or a deployed resource would not be asked again when it changes.
        properties: { KeyId: key.keyArn, Form: 'kid:spki' },
      }).getAttString('PublicKey')
    this.value = keys.map(read).join(',')
  }

  /** CDK's framework function, which speaks with CloudFormation; its role is given so that it gets no managed policy. */
  private provider(reader: ServiceFunction, stage: StageSettings): Provider {
    const logGroup = createLog(this, 'ProviderLog', stage)
    const role = new FunctionRole(this, 'ProviderRole')
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
