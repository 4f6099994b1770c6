import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { operator } from '../../../../infra/manifest/operator.ts'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { type KeyAttribute, type TableDescription, tables } from '../../../../lib/adapters/dynamodb/tables.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const rows: readonly Pick<FunctionRow, 'name' | 'kms'>[] = [...manifest, operator]
const { data: stack } = synthesizeStage(stageWith({}, 'prod'))
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

  it('have a stream if other functions follow their items', () => {
    const views = descriptions.map(([name, { hasStream }]) => {
      const table = found.find(({ id }) => id === stack.output(`${name}Table`))
      return [name, hasStream, table?.Properties.StreamSpecification]
    })
    expect(views).toEqual(
      descriptions.map(([name, { hasStream }]) => [name, hasStream, hasStream && { StreamViewType: 'NEW_IMAGE' }]),
    )
  })

  describe.each(descriptions)('Given %s', (name, { partitionKey, sortKey, indexes = [], timeToLiveAttribute }) => {
    const table = found.find(({ id }) => id === stack.output(`${name}Table`))

    it('has its keys, its indexes and its time to live', () => {
      const keys = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])]
      const types = new Map(keys.flatMap((key) => (key ? [[key.name, key.type] as const] : [])))
      expect(table?.Properties).toMatchObject({
        KeySchema: keySchema(partitionKey, sortKey),
        AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
      })
      const gsis = indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: index.projection, ...(index.include && { NonKeyAttributes: index.include }) },
      }))
      expect(table?.Properties.GlobalSecondaryIndexes ?? []).toEqual(gsis)
      expect(table?.Properties.TimeToLiveSpecification).toEqual(
        timeToLiveAttribute && { AttributeName: timeToLiveAttribute, Enabled: true },
      )
    })

    it('is billed on demand, encrypted, restorable and hard to lose', () => {
      expect(table).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
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

    it('and each of its indexes name the keys that are throttled, and never those that are only used', () => {
      const insights = { ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } }
      const replica = z.object({ Replicas: z.tuple([z.looseObject({})]) }).parse(table?.Properties).Replicas[0]
      expect(replica).toMatchObject(insights)
      const ofIndexes = indexes.map((index) => ({ IndexName: index.name, ...insights }))
      expect(replica.GlobalSecondaryIndexes ?? []).toEqual(ofIndexes)
    })
  })
})

const keyPolicy = z.object({
  Statement: z.array(
    z.object({
      Sid: z.string(),
      Effect: z.literal('Allow'),
      Action: z.union([z.string(), z.array(z.string())]),
      Principal: z.object({ AWS: reference }),
      Condition: z
        .object({ ArnEquals: z.object({ 'aws:PrincipalArn': z.union([reference, z.array(reference)]) }) })
        .loose()
        .optional(),
    }),
  ),
})

describe('The keys', () => {
  const keys = stack.resources('AWS::KMS::Key', z.looseObject({ KeyPolicy: keyPolicy }))
  const statement = (index: number, sid: string) =>
    keys[index]?.Properties.KeyPolicy.Statement.find(({ Sid }) => Sid === sid)
  const rolesOf = (names: readonly string[]) =>
    names.map((name) => `arn:AWS::Partition:iam::AWS::AccountId:role/prod-${name}-AWS::Region`)
  const users = (key: 'customer' | 'totp' | 'webhook' | 'token', use: 'Encrypt' | 'Decrypt' | 'Sign') =>
    rolesOf(rows.filter(({ kms }) => kms[key]?.includes(use)).map(({ name }) => name))

  // [asvs 11.1.1 11.3.2 11.6.1]
  it('are one symmetric key that rotates and one RSA key that signs, both kept', () => {
    expect(keys).toMatchObject([
      { DeletionPolicy: 'RetainExceptOnCreate', Properties: { KeySpec: 'SYMMETRIC_DEFAULT', EnableKeyRotation: true } },
      { DeletionPolicy: 'RetainExceptOnCreate', Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' } },
    ])
  })

  it('are found by aliases that never move', () => {
    const alias = z.object({ AliasName: z.string(), TargetKeyId: reference })
    const aliases = stack.resources('AWS::KMS::Alias', alias).map(({ Properties }) => Properties)
    expect(aliases).toEqual([
      { AliasName: 'alias/prod-console-customer', TargetKeyId: `${keys[0]?.id}.Arn` },
      { AliasName: 'alias/prod-console-token-1', TargetKeyId: `${keys[1]?.id}.Arn` },
    ])
  })

  // [asvs 13.3.2]
  it.each([
    [0, 'Encrypt', users('customer', 'Encrypt')],
    [0, 'Decrypt', users('customer', 'Decrypt')],
    [0, 'TotpEncrypt', users('totp', 'Encrypt')],
    [0, 'TotpDecrypt', users('totp', 'Decrypt')],
    [0, 'WebhookDecrypt', users('webhook', 'Decrypt')],
    [1, 'Sign', users('token', 'Sign')],
    [1, 'GetPublicKey', rolesOf(['token-public-key'])],
  ])('key %i: %s is for the roles of the manifest, the operators’ and no other', (index, sid, roles) => {
    const { Action, Condition } = statement(index, sid) ?? {}
    // What no function does has no statement.
    expect(Action).toBe(roles.length > 0 ? `kms:${sid.replace(/^(Totp|Webhook)/, '')}` : undefined)
    expect([Condition?.ArnEquals['aws:PrincipalArn'] ?? []].flat()).toEqual(roles)
  })

  it('let an administrator of the account do everything but use them', () => {
    for (const { Properties } of keys) {
      const open = Properties.KeyPolicy.Statement.filter(({ Condition }) => Condition === undefined)
      expect(open.map(({ Sid }) => Sid)).toEqual(['Administration'])
      const uses = /kms:(\*|Encrypt|Decrypt|ReEncrypt|GenerateDataKey|Sign|Verify|GetPublicKey|CreateGrant)/
      expect(open.flatMap(({ Action }) => Action).filter((action) => uses.test(action))).toEqual([])
    }
  })
})

describe('The secrets', () => {
  it('are created without a value where Stripe makes it, and kept', () => {
    const secrets = stack.resources('AWS::SecretsManager::Secret', z.looseObject({ Description: z.string() }))
    expect(secrets.map(({ id }) => id)).toEqual([
      stack.output('stripeSecretKeyArn'),
      stack.output('stripeWebhookSecretsArn'),
      stack.output('knownBrowserKeyArn'),
    ])
    expect(secrets.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(Array(3).fill('RetainExceptOnCreate'))
    const valued = secrets.filter(
      ({ Properties }) => 'SecretString' in Properties || 'GenerateSecretString' in Properties,
    )
    expect(valued.map(({ id }) => id)).toEqual([stack.output('knownBrowserKeyArn')])
  })
})

describe('A stage that is deleted', () => {
  const { data } = synthesizeStage(stageWith({ removal: 'destroy' }))

  it('leaves no table, key or secret behind', () => {
    const kept = Object.entries(z.record(z.string(), z.looseObject({})).parse(data.json.Resources)).filter(
      ([, { DeletionPolicy = 'Delete' }]) => DeletionPolicy !== 'Delete',
    )
    expect(kept).toEqual([])
  })
})

describe.each([
  ['', undefined],
  [', with backups in another account', 'arn:aws:backup:us-east-1:444455556666:backup-vault:console'],
])('A first deployment that fails%s', (_, backupVaultArn) => {
  const { data } = synthesizeStage(stageWith(backupVaultArn === undefined ? {} : { backupVaultArn }, 'prod'))
  const resources = z
    .record(
      z.string(),
      z.object({ Type: z.string(), DeletionPolicy: z.string().optional(), DependsOn: z.array(z.string()).default([]) }),
    )
    .parse(data.json.Resources)

  it('leaves nothing that would make the next one fail', () => {
    const policies = Object.values(resources).flatMap(({ DeletionPolicy }) => DeletionPolicy ?? [])
    expect(new Set(policies)).toEqual(new Set(['RetainExceptOnCreate']))
  })

  it('has not made a table yet, which is protected from deletion and could not be rolled back', () => {
    const of = (types: readonly string[]) =>
      Object.entries(resources).flatMap(([id, { Type }]) => (types.includes(Type) ? [id] : []))
    const tableIds = of(['AWS::DynamoDB::GlobalTable'])
    // A selection for backups and the operators' policy name the tables, so they come after them. Neither has a name that is taken.
    const after = of(['AWS::Backup::BackupSelection', 'AWS::IAM::Policy'])
    const before = Object.keys(resources).filter((id) => ![...tableIds, ...after].includes(id))
    expect([before.length > 5, after.length]).toEqual([true, backupVaultArn === undefined ? 1 : 2])
    for (const id of tableIds) {
      expect(resources[id]?.DependsOn).toEqual(expect.arrayContaining(before))
    }
  })
})

describe('The generations of the token key', () => {
  /** The generation that signs, and those whose tokens are good. */
  function generations(tokenKeyGeneration: number, signingKeyGeneration: number) {
    const { data, service } = synthesizeStage(stageWith({ tokenKeyGeneration, signingKeyGeneration }))
    const generationOf = (keyId: string | undefined) => {
      const keys = data.resources('AWS::KMS::Key', z.looseObject({ Description: z.string() }))
      return keys.find(({ id }) => id === keyId)?.Properties.Description.split('generation ')[1]
    }
    const publicKeys = service.resources('Custom::TokenPublicKey', z.object({ KeyId: reference }))
    const { TOKEN_PUBLIC_KEY = '' } = service.lambda('users-me').Environment?.Variables ?? {}
    const made = data.resources('AWS::KMS::Key', anything).length - 1
    return {
      made,
      signing: generationOf(service.lambda('oauth-token').Environment?.Variables.TOKEN_KEY_ID),
      good: TOKEN_PUBLIC_KEY.split(',').map((value) => {
        const found = publicKeys.find(({ id }) => value === `${id}.PublicKey`)
        return generationOf(found?.Properties.KeyId.replace('.Arn', ''))
      }),
    }
  }

  it.each([
    ['Given one key, it signs', 1, 1, '1', ['1']],
    ['Given another, its tokens are good before there are any', 2, 1, '1', ['1', '2']],
    ['Given that it signs, tokens of the one before are good', 2, 2, '2', ['1', '2']],
    ['Given two more at once, tokens of the first are refused', 3, 3, '3', ['2', '3']],
  ])('%s', (_, made, signs, signing, good) => {
    expect(generations(made, signs)).toEqual({ made, signing, good })
  })

  it.each([
    [3, 1],
    [1, 2],
  ])('Given %i, the key %i cannot sign', (tokenKeyGeneration, signingKeyGeneration) => {
    expect(() => stageWith({ tokenKeyGeneration, signingKeyGeneration })).toThrow('the last two token keys')
  })

  it('give every function that verifies a new version', () => {
    const { service } = synthesizeStage(stageWith({ tokenKeyGeneration: 2 }))
    const versionOf = (stack: typeof service) =>
      stack
        .resources('AWS::Lambda::Version', z.object({ FunctionName: reference }))
        .find(({ Properties }) => Properties.FunctionName === stack.lambda('users-me').id)?.id
    expect(versionOf(service)).not.toBe(versionOf(synthesizeStage().service))
  })
})

describe('A table restored from a backup', () => {
  it('is used in the place of the stack’s own, which stays', () => {
    const plain = synthesizeStage().data
    const before = plain.resources('AWS::DynamoDB::GlobalTable', anything)
    const own = new Set(before.map(({ id }) => id))
    const { data, service } = synthesizeStage(stageWith({ restoredTables: { billing: 'restored-billing' } }))
    expect(service.lambda('billing-checkout').Environment?.Variables.BILLING_TABLE).toBe('restored-billing')
    const all = data.resources('AWS::DynamoDB::GlobalTable', anything)
    expect([...own].filter((id) => !all.some((one) => one.id === id))).toEqual([])
    // What AWS asks of a resource that a change set imports: a static name, kept when it is removed, and in no stack before.
    const [restored, ...others] = all.filter(({ id }) => !own.has(id))
    expect(others).toEqual([])
    expect(restored).toMatchObject({ DeletionPolicy: 'Retain', Properties: { TableName: 'restored-billing' } })
    const { TableName: _, ...like } = restored?.Properties ?? {}
    expect(like).toEqual(before.find(({ id }) => id === plain.output('billingTable'))?.Properties)
  })

  it('leaves its place to none: another restored table is another resource', () => {
    const idsOf = (billing: string) =>
      synthesizeStage(stageWith({ restoredTables: { billing } }))
        .data.resources('AWS::DynamoDB::GlobalTable', z.object({ TableName: z.string().optional() }))
        .flatMap(({ id, Properties }) => (Properties.TableName === billing ? [id] : []))
    expect(new Set([...idsOf('restored-billing'), ...idsOf('restored-again')]).size).toBe(2)
  })
})
