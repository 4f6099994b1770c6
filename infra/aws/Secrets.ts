import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager'
import { RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { SecretName } from '../manifest.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

const data = {
  stripeSecretKey: {
    id: 'StripeSecretKey',
    variable: 'STRIPE_SECRET_KEY_ARN',
    description: 'The secret key of the Stripe account',
  },
  stripeWebhookSecrets: {
    id: 'StripeWebhookSecrets',
    variable: 'STRIPE_WEBHOOK_SECRETS_ARN',
    description:
      'The signing secret of the Stripe webhook endpoint, or two separated by a comma while they are rotated',
  },
} as const satisfies Record<SecretName, { id: string; variable: string; description: string }>

/**
 * The Stripe secrets, known to the stack by ARN alone. They are created without any value (a generated one would look like a key and be
 * refused by Stripe), and filled once with `aws secretsmanager put-secret-value`: until then reading them fails by name.
 */
export class Secrets extends Construct {
  readonly arns: Readonly<Record<SecretName, string>>

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.arns = {
      stripeSecretKey: this.create('stripeSecretKey'),
      stripeWebhookSecrets: this.create('stripeWebhookSecrets'),
    }
  }

  /** Lets a function read exactly these secrets, and tells it where they are. */
  grantRead(fn: ServiceFunction, names: readonly SecretName[]): void {
    for (const name of names) fn.setVariable(data[name].variable, this.arns[name])
    fn.allow(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: names.map((name) => this.arns[name]),
      }),
    )
  }

  private create(name: SecretName): string {
    const secret = new CfnSecret(this, data[name].id, { description: data[name].description })
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN)
    return secret.ref
  }
}
