import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { ServiceFunction } from '../../infra/aws/ServiceFunction.ts'
import { Tables } from '../../infra/aws/Tables.ts'
import { type KeyAttribute, type TableDescription, tables } from '../../lib/adapters/dynamodb/tables.ts'
import { codeDirectory, context, synthesize, synthesizeService } from './synthesized.ts'

const stack = synthesizeService()
const anything = z.record(z.string(), z.unknown())

const keySchema = (partitionKey: KeyAttribute, sortKey?: KeyAttribute) => [
  { AttributeName: partitionKey.name, KeyType: 'HASH' },
  ...(sortKey ? [{ AttributeName: sortKey.name, KeyType: 'RANGE' }] : []),
]

describe('The tables', () => {
  const found = stack.resources('AWS::DynamoDB::GlobalTable', anything)

  it('are those of the table data', () => {
    expect(found.map(({ id }) => id)).toEqual(Object.keys(tables).map((name) => stack.output(`${name}Table`)))
  })

  const descriptions: [string, TableDescription][] = Object.entries(tables)
  describe.each(descriptions)('Given %s', (name, { partitionKey, sortKey, indexes = [], timeToLiveAttribute }) => {
    const table = found.find(({ id }) => id === stack.output(`${name}Table`))

    it('has its keys, its indexes and its time to live', () => {
      const keys = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])]
      expect(table?.Properties).toMatchObject({
        KeySchema: keySchema(partitionKey, sortKey),
        AttributeDefinitions: keys.flatMap((key) =>
          key ? [{ AttributeName: key.name, AttributeType: key.type }] : [],
        ),
      })
      const gsis = indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: index.projection },
      }))
      expect(table?.Properties.GlobalSecondaryIndexes ?? []).toEqual(gsis)
      expect(table?.Properties.TimeToLiveSpecification).toEqual(
        timeToLiveAttribute && { AttributeName: timeToLiveAttribute, Enabled: true },
      )
    })

    it('is billed on demand, encrypted, restorable and hard to lose', () => {
      expect(table).toMatchObject({
        DeletionPolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          SSESpecification: { SSEEnabled: true },
          Replicas: [
            {
              DeletionProtectionEnabled: true,
              PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            },
          ],
        },
      })
    })
  })

  describe('Given a function that may query', () => {
    it('lets it query each index by name, and do nothing else there', () => {
      const row = { name: 'sweeper', summary: 'Sweep', memoryMb: 256, timeoutSeconds: 5 }
      const template = synthesize((app) => {
        const small = new Stack(app, 'Small')
        const fn = new ServiceFunction(small, 'Function', { ...row, codeDirectory })
        new Tables(small, 'Tables').grantAccess(fn, 'billing', ['GetItem', 'Query'])
        return small
      })
      const [, onTable, onIndexes] = template.statements(template.lambda('sweeper').Role)
      const [table] = onTable?.Resource ?? []
      expect(onTable?.Action).toEqual(['dynamodb:GetItem', 'dynamodb:Query'])
      expect(onIndexes).toEqual({ Effect: 'Allow', Action: ['dynamodb:Query'], Resource: [`${table}/index/pending`] })
    })
  })
})

describe('The keys', () => {
  const keys = stack.resources('AWS::KMS::Key', anything)

  it('are one symmetric key that rotates and one P-256 key that signs, both kept', () => {
    expect(keys).toMatchObject([
      { DeletionPolicy: 'Retain', Properties: { KeySpec: 'SYMMETRIC_DEFAULT', EnableKeyRotation: true } },
      { DeletionPolicy: 'Retain', Properties: { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } },
    ])
  })
})

describe('The secrets', () => {
  it('are created without a value, and kept', () => {
    const secrets = stack.resources('AWS::SecretsManager::Secret', z.strictObject({ Description: z.string() }))
    expect(secrets.map(({ id }) => id)).toEqual([
      stack.output('stripeSecretKeyArn'),
      stack.output('stripeWebhookSecretsArn'),
    ])
    expect(secrets.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain'])
  })

  it('stand nowhere in the template, nor does a reference that CloudFormation would resolve', () => {
    expect(JSON.stringify(stack.template.toJSON())).not.toMatch(/\b[sr]k_(test|live)_|whsec_|resolve:secretsmanager/)
  })
})

describe('The webhook’s URL', () => {
  const fn = { 'Fn::GetAtt': [stack.lambda('stripe-webhook').id, 'Arn'] }

  it('is open to anyone, with both permissions that takes', () => {
    stack.template.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE', TargetFunctionArn: fn })
    const permissions = stack.resources('AWS::Lambda::Permission', anything).map(({ Properties }) => Properties)
    expect(permissions.filter(({ Principal }) => Principal === '*')).toEqual([
      { Action: 'lambda:InvokeFunctionUrl', FunctionName: fn, FunctionUrlAuthType: 'NONE', Principal: '*' },
      { Action: 'lambda:InvokeFunction', FunctionName: fn, InvokedViaFunctionUrl: true, Principal: '*' },
    ])
  })

  it('is the only one, and an output', () => {
    const urls = stack.resources('AWS::Lambda::Url', anything)
    expect(urls.map(({ id }) => `${id}.FunctionUrl`)).toEqual([stack.output('WebhookUrl')])
  })
})

describe('A deployment', () => {
  it('may name another issuer and audience', () => {
    const chosen = synthesizeService({ issuer: 'https://api.example.com', audience: 'cli' })
    expect(chosen.lambda('users-me').Environment?.Variables).toMatchObject({
      TOKEN_ISSUER: 'https://api.example.com',
      TOKEN_AUDIENCE: 'cli',
    })
  })

  it('sets every feature flag that the CDK recommends', () => {
    const flags = readFileSync(
      join(import.meta.dirname, '../../node_modules/aws-cdk-lib/recommended-feature-flags.json'),
      'utf8',
    )
    expect(context).toMatchObject(anything.parse(JSON.parse(flags)))
  })
})
