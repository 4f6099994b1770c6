import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { type KmsUse, manifest, operator } from '../../../manifest.ts'
import { publicKeyReader } from '../functionNames.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'
import type { InlineRole } from '../InlineRole.ts'
import { removalPolicy, roleArn } from '../stageNames.ts'
import { type KeyUser, keyPolicy } from './keyPolicy.ts'

const customerCondition = {
  StringEquals: { 'kms:EncryptionContext:attribute': 'stripe_customer_id' },
  Null: { 'kms:EncryptionContext:organization_id': 'false' },
}
const totpCondition = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'totp' },
  Null: { 'kms:EncryptionContext:user_id': 'false' },
}

const webhookCondition = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'webhook_secret' },
  Null: { 'kms:EncryptionContext:owner': 'false' },
}

/** Not the secrets of organizations. */
const operatorsWebhookCondition = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'webhook_secret', 'kms:EncryptionContext:owner': 'operator' },
}

const providerCondition = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'provider_secret' },
  Null: { 'kms:EncryptionContext:owner': 'false' },
}

/** Not the secrets of organizations. */
const operatorsProviderCondition = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'provider_secret', 'kms:EncryptionContext:owner': 'operator' },
}

/** The algorithm of RS256 tokens in KMS (RFC 7518 §3.3). */
const signsTokens = { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } }

/** A key that signs access tokens, or has signed them, or will. */
export interface TokenKey {
  readonly generation: number
  readonly key: Key
}

/** The key that encrypts Stripe customer ids, TOTP secrets, and secrets of endpoints and of OpenID providers, and the keys that sign access tokens. Only the functions of the manifest and operators' commands may use them. */
export class Keys extends Construct {
  readonly customer: Key
  /** The current signing key. */
  readonly token: TokenKey
  /** Keys whose tokens are valid, oldest first: the last two generations. */
  readonly verifying: readonly TokenKey[]

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    const removal = { removalPolicy: removalPolicy(stage) }
    this.customer = new Key(this, 'Customer', {
      description: 'Encrypts the Stripe customer id of each organization',
      keySpec: KeySpec.SYMMETRIC_DEFAULT,
      enableKeyRotation: true,
      // It cannot be changed later: a replica in another region can then decrypt what this key encrypted.
      multiRegion: true,
      policy: keyPolicy([
        ...keyUsers(stage, 'customer', customerCondition),
        ...keyUsers(stage, 'totp', totpCondition).map((user) => ({ ...user, purpose: 'Totp' })),
        ...keyUsers(stage, 'webhook', webhookCondition).map((user) => ({ ...user, purpose: 'Webhook' })),
        ...keyUsers(stage, 'provider', providerCondition).map((user) => ({ ...user, purpose: 'Provider' })),
      ]),
      ...removal,
    })
    this.customer.addAlias(`${stage.name}-console-customer`)
    const reader = { action: 'GetPublicKey', roleArns: [roleArn(stage, publicKeyReader)] }
    const tokenKeys = Array.from({ length: stage.tokenKeyGeneration }, (_, index): TokenKey => {
      const generation = index + 1
      const key = new Key(this, `Token${generation}`, {
        description: `Signs tokens (RS256), generation ${generation}`,
        keySpec: KeySpec.RSA_2048,
        keyUsage: KeyUsage.SIGN_VERIFY,
        policy: keyPolicy([...keyUsers(stage, 'token', signsTokens), reader]),
        ...removal,
      })
      // The alias has the generation, so that it never moves. Functions and policies name keys by id.
      key.addAlias(`${stage.name}-console-token-${generation}`)
      return { generation, key }
    })
    const signing = tokenKeys[stage.signingKeyGeneration - 1]
    if (signing === undefined) throw new Error(`There is no token key of generation ${stage.signingKeyGeneration}`)
    this.token = signing
    this.verifying = tokenKeys.slice(-2)
  }

  /** Lets a function use the customer key, only for the Stripe customer id of an organization. */
  grantCustomer(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('CUSTOMER_KEY_ID', this.customer.keyId)
    fn.allow(statement(this.customer, uses, customerCondition))
  }

  /** Lets operators' commands use the customer key, only for the Stripe customer id of an organization and for secrets of the operator's endpoints and providers. */
  grantOperator(role: InlineRole): void {
    role.allow(statement(this.customer, operator.kms.customer, customerCondition))
    role.allow(statement(this.customer, operator.kms.webhook, operatorsWebhookCondition))
    role.allow(statement(this.customer, operator.kms.provider, operatorsProviderCondition))
  }

  /** Lets a function use the customer key, only for the TOTP secret of a user. */
  grantTotp(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('CUSTOMER_KEY_ID', this.customer.keyId)
    fn.allow(statement(this.customer, uses, totpCondition))
  }

  /** Lets a function use the customer key, only for the secret of an endpoint. */
  grantWebhook(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('CUSTOMER_KEY_ID', this.customer.keyId)
    fn.allow(statement(this.customer, uses, webhookCondition))
  }

  /** Lets a function use the customer key, only for the client secret at an OpenID provider. */
  grantProvider(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    fn.setVariable('CUSTOMER_KEY_ID', this.customer.keyId)
    fn.allow(statement(this.customer, uses, providerCondition))
  }

  /** Lets a function use the token key, with its algorithm only. */
  grantToken(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    const { key } = this.token
    fn.setVariable('TOKEN_KEY_ID', key.keyId)
    fn.allow(statement(key, uses, signsTokens))
  }
}

type Conditions = KeyUser['conditions']

function statement(key: Key, uses: readonly KmsUse[], conditions: Conditions): PolicyStatementProps {
  const actions = uses.map((use) => `kms:${use}`)
  return { actions, resources: [key.keyArn], ...(conditions && { conditions }) }
}

/** Each use of a key in the manifest, with the roles of its functions, and of operators' commands. */
function keyUsers(
  stage: StageSettings,
  key: 'customer' | 'totp' | 'webhook' | 'provider' | 'token',
  conditions: Conditions,
): KeyUser[] {
  const actions = new Map<KmsUse, string[]>()
  for (const { name, kms } of [...manifest, operator]) {
    const uses: { readonly [Key in typeof key]?: readonly KmsUse[] } = kms
    for (const use of uses[key] ?? []) actions.set(use, [...(actions.get(use) ?? []), roleArn(stage, name)])
  }
  return [...actions].map(([action, roleArns]) => ({ action, roleArns, conditions }))
}
