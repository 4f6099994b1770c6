import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { operator, type SecretName } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'
import type { InlineRole } from '../InlineRole.ts'
import { removalPolicy } from '../stageNames.ts'

const data = {
  stripeSecretKey: {
    id: 'StripeSecretKey',
    variable: 'STRIPE_SECRET_KEY_ARN',
    description: 'The secret key of the Stripe account',
  },
  knownBrowserKey: {
    id: 'KnownBrowserKey',
    variable: 'KNOWN_BROWSER_KEY_ARN',
    description:
      'Signs the cookies of browsers that have signed in before: one key, or two separated by a comma while it is rotated',
  },
  stripeWebhookSecrets: {
    id: 'StripeWebhookSecrets',
    variable: 'STRIPE_WEBHOOK_SECRETS_ARN',
    description:
      'The signing secret of the Stripe webhook endpoint, or two separated by a comma while they are rotated',
  },
} as const satisfies Record<SecretName, { id: string; variable: string; description: string }>

/**
 * The secrets; the stack knows only their ARNs. CloudFormation generates the key of known browsers. Stripe's secrets are created empty, because
 * Stripe would refuse a generated value. Store them once with `aws secretsmanager put-secret-value`; reading them fails by name until then.
 */
export class Secrets extends Construct {
  readonly arns: Readonly<Record<SecretName, string>>

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.arns = {
      stripeSecretKey: this.create('stripeSecretKey', stage),
      stripeWebhookSecrets: this.create('stripeWebhookSecrets', stage),
      knownBrowserKey: this.create('knownBrowserKey', stage, { passwordLength: 43, excludePunctuation: true }),
    }
    const notOurs =
      'Stripe makes its secrets and has no call to rotate them, and the key of known browsers opens nothing: infra/runbook/keys.md says how to do it by hand'
    acknowledge(this, {
      'AwsSolutions-SMG4': notOurs,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': notOurs,
      'NIST.800.53.R5-SecretsManagerUsingKMSKey':
        'Read within the account only, for which the key that AWS manages is enough',
    })
  }

  /** Lets a function read exactly these secrets, and sets the variables with their ARNs. */
  grantRead(fn: ServiceFunction, names: readonly SecretName[]): void {
    for (const name of names) fn.setVariable(data[name].variable, this.arns[name])
    fn.allow({
      actions: ['secretsmanager:GetSecretValue'],
      resources: names.map((name) => this.arns[name]),
    })
  }

  /** Lets operators' commands read the secrets that their role lists. */
  grantOperator(role: InlineRole): void {
    const resources = operator.secrets.map((name) => this.arns[name])
    role.allow({ actions: ['secretsmanager:GetSecretValue'], resources })
  }

  private create(
    name: SecretName,
    stage: StageSettings,
    generateSecretString?: CfnSecret.GenerateSecretStringProperty,
  ): string {
    const { id, description } = data[name]
    const secret = new CfnSecret(this, id, { description, ...(generateSecretString && { generateSecretString }) })
    secret.applyRemovalPolicy(removalPolicy(stage))
    return secret.ref
  }
}
