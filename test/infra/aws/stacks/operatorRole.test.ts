import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { operator } from '../../../../infra/manifest/operator.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const { data: stack } = synthesizeStage(stageWith({}, 'prod'))

const list = (value: unknown) => (Array.isArray(value) ? value : [value])
const statement = z.object({
  Effect: z.literal('Allow'),
  Action: z.preprocess(list, z.array(z.string())),
  Resource: z.preprocess(list, z.array(reference)),
  Condition: z.record(z.string(), z.record(z.string(), z.string())).optional(),
})
const document = z.object({ Statement: z.array(statement) })
const trust = z.object({ Principal: z.object({ AWS: reference }), Action: z.string(), Condition: z.unknown() })

const [role, ...others] = stack.resources(
  'AWS::IAM::Role',
  z.object({
    RoleName: reference,
    AssumeRolePolicyDocument: z.object({ Statement: z.array(trust) }),
    Policies: z.array(z.object({ PolicyDocument: document })),
  }),
)
const [policy, ...otherPolicies] = stack.resources(
  'AWS::IAM::Policy',
  z.object({ PolicyDocument: document, Roles: z.array(reference) }),
)

/** `<action> <resource>`, with the condition if there is one. */
function allowed(): string[] {
  const statements = [
    ...(role?.Properties.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    ...(policy?.Properties.PolicyDocument.Statement ?? []),
  ]
  return statements.flatMap(({ Action, Resource, Condition }) =>
    Resource.flatMap((resource) =>
      Action.map((action) => `${action} ${resource}${Condition ? ` if ${JSON.stringify(Condition)}` : ''}`),
    ),
  )
}

describe('The customer key', () => {
  it('has a region that it can be replicated from: customers and authenticator apps outlive their region', () => {
    const [customer] = stack.resources(
      'AWS::KMS::Key',
      z.object({ MultiRegion: z.boolean(), EnableKeyRotation: z.boolean() }).partial(),
    )
    expect(customer?.Properties).toEqual({ MultiRegion: true, EnableKeyRotation: true })
  })
})

describe('The operators’ role', () => {
  it('is the only role of the data stack, found by an output', () => {
    expect([others, otherPolicies]).toEqual([[], []])
    expect(role?.Properties.RoleName).toBe('prod-operator-AWS::Region')
    expect(stack.output('operatorRoleArn')).toBe(`${role?.id}.Arn`)
    expect(policy?.Properties.Roles).toEqual([role?.id])
  })

  it('is assumed by people of the account with MFA, and by roles of IAM Identity Center, which has no MFA key', () => {
    const account = 'arn:AWS::Partition:iam::AWS::AccountId:root'
    expect(
      role?.Properties.AssumeRolePolicyDocument.Statement.map(({ Condition, ...rest }) => ({
        ...rest,
        Condition: JSON.parse(JSON.stringify(Condition), (_, value) => reference.safeParse(value).data ?? value),
      })),
    ).toEqual([
      {
        Principal: { AWS: account },
        Action: 'sts:AssumeRole',
        Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
      },
      {
        Principal: { AWS: account },
        Action: 'sts:AssumeRole',
        Condition: {
          ArnLike: {
            'aws:PrincipalArn': 'arn:AWS::Partition:iam::AWS::AccountId:role/aws-reserved/sso.amazonaws.com/*',
          },
        },
      },
    ])
  })

  it('may do exactly what the operators’ row lists', () => {
    const [key] = stack.resources('AWS::KMS::Key', z.unknown())
    const context = JSON.stringify({
      StringEquals: { 'kms:EncryptionContext:attribute': 'stripe_customer_id' },
      Null: { 'kms:EncryptionContext:organization_id': 'false' },
    })
    const own = (purpose: string) =>
      JSON.stringify({
        StringEquals: { 'kms:EncryptionContext:purpose': purpose, 'kms:EncryptionContext:owner': 'operator' },
      })
    const tables = Object.entries(operator.tables).flatMap(([name, actions]) =>
      actions.map((action) => `dynamodb:${action} ${stack.output(`${name}Table`)}.Arn`),
    )
    const billing = stack.output('billingTable')
    expect(allowed().toSorted()).toEqual(
      [
        ...operator.kms.customer.map((use) => `kms:${use} ${key?.id}.Arn if ${context}`),
        ...operator.kms.webhook.map((use) => `kms:${use} ${key?.id}.Arn if ${own('webhook_secret')}`),
        ...operator.kms.provider.map((use) => `kms:${use} ${key?.id}.Arn if ${own('provider_secret')}`),
        ...operator.secrets.map((name) => `secretsmanager:GetSecretValue ${stack.output(`${name}Arn`)}`),
        ...tables,
        ...operator.indexes.map((index) => `dynamodb:Query ${billing}.Arn/index/${index}`),
      ].toSorted(),
    )
  })

  it('is named in the policy of the customer key, for the contexts of customers, endpoints and providers only, and no other person is', () => {
    const keyPolicy = z.object({
      KeyPolicy: z.object({
        Statement: z.array(
          z.object({
            Sid: z.string(),
            Condition: z
              .looseObject({ ArnEquals: z.object({ 'aws:PrincipalArn': z.preprocess(list, z.array(reference)) }) })
              .optional(),
          }),
        ),
      }),
    })
    const users = stack
      .resources('AWS::KMS::Key', keyPolicy)
      .flatMap(({ Properties }) =>
        Properties.KeyPolicy.Statement.flatMap(({ Sid, Condition }) =>
          (Condition?.ArnEquals['aws:PrincipalArn'] ?? []).map((arn) => [Sid, arn] as const),
        ),
      )
    const named = users.filter(([, arn]) => arn.includes('operator'))
    const arn = 'arn:AWS::Partition:iam::AWS::AccountId:role/prod-operator-AWS::Region'
    const { customer, webhook, provider } = operator.kms
    const uses = [...customer, ...webhook.map((use) => `Webhook${use}`), ...provider.map((use) => `Provider${use}`)]
    expect(named).toEqual(uses.map((use) => [use, arn]))
    // Functions' roles and the operators': no administrator's.
    expect(users.filter(([, each]) => !each.includes(':role/prod-'))).toEqual([])
  })
})
