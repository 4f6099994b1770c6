import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { KmsUse } from '../manifest.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

/** The key that encrypts Stripe customer ids, and the key that signs access tokens. Losing either loses data: both outlive the stack. */
export class Keys extends Construct {
  readonly customer: Key
  readonly token: Key

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.customer = new Key(this, 'Customer', {
      description: 'Encrypts the Stripe customer id of each organization',
      keySpec: KeySpec.SYMMETRIC_DEFAULT,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    this.token = new Key(this, 'Token', {
      description: 'Signs access tokens (ES256)',
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN,
    })
  }

  /** Lets a function use the customer key, for nothing but a Stripe customer id bound to some organization. */
  grantCustomer(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('CUSTOMER_KEY_ID', this.customer.keyId)
    fn.allow(
      new PolicyStatement({
        actions: uses.map((use) => `kms:${use}`),
        resources: [this.customer.keyArn],
        conditions: {
          StringEquals: { 'kms:EncryptionContext:attribute': 'stripe_customer_id' },
          Null: { 'kms:EncryptionContext:organization_id': 'false' },
        },
      }),
    )
  }

  /** Lets a function use the token key, with the algorithm of ES256 (RFC 7518 §3.4) only. */
  grantToken(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('TOKEN_KEY_ID', this.token.keyId)
    fn.allow(
      new PolicyStatement({
        actions: uses.map((use) => `kms:${use}`),
        resources: [this.token.keyArn],
        conditions: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
      }),
    )
  }
}
