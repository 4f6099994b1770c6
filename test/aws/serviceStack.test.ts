import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { routes } from '../../infra/data/routes.ts'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'
import { reference, type Statement, synthesizeService } from './synthesized.ts'

const rows: readonly FunctionRow[] = manifest
const stack = synthesizeService()

const sorted = (statements: readonly Statement[]) =>
  statements
    .map((statement) => ({
      ...statement,
      Action: statement.Action.toSorted(),
      Resource: statement.Resource.toSorted(),
    }))
    .toSorted((a, b) => `${a.Action}`.localeCompare(`${b.Action}`))

function keyId(spec: string): string {
  const keys = stack.resources('AWS::KMS::Key', z.object({ KeySpec: z.string() }))
  return keys.find(({ Properties }) => Properties.KeySpec === spec)?.id ?? `no key ${spec}`
}

const customerKey = keyId('SYMMETRIC_DEFAULT')
const tokenKey = keyId('ECC_NIST_P256')
const secretVariables = { stripeSecretKey: 'STRIPE_SECRET_KEY_ARN', stripeWebhookSecrets: 'STRIPE_WEBHOOK_SECRETS_ARN' }

/** All that a row may do, and nothing else. */
function allowed(row: FunctionRow): Statement[] {
  const statements: Statement[] = [
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: [`${stack.lambda(row.name).LoggingConfig.LogGroup}.Arn`],
    },
  ]
  for (const [name, actions] of Object.entries(row.tables)) {
    const Action = actions.map((action) => `dynamodb:${action}`)
    statements.push({ Effect: 'Allow', Action, Resource: [`${stack.output(`${name}Table`)}.Arn`] })
  }
  if (row.kms.customer) {
    const Condition = {
      StringEquals: { 'kms:EncryptionContext:attribute': 'stripe_customer_id' },
      Null: { 'kms:EncryptionContext:organization_id': 'false' },
    }
    const Action = row.kms.customer.map((use) => `kms:${use}`)
    statements.push({ Effect: 'Allow', Action, Resource: [`${customerKey}.Arn`], Condition })
  }
  if (row.kms.token) {
    const Condition = { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } }
    statements.push({ Effect: 'Allow', Action: ['kms:Sign'], Resource: [`${tokenKey}.Arn`], Condition })
  }
  if (row.secrets.length > 0) {
    const Resource = row.secrets.map((name) => stack.output(`${name}Arn`))
    statements.push({ Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource })
  }
  return statements
}

/** The whole environment of a row, by what it touches and who calls it. */
function variables(row: FunctionRow): Record<string, string> {
  const claims = { TOKEN_ISSUER: stack.output('ApiUrl'), TOKEN_AUDIENCE: 'console' }
  const [publicKey] = stack.resources('Custom::TokenPublicKey', z.object({ KeyId: reference }))
  return {
    ...(row.tables.accounts && { ACCOUNTS_TABLE: stack.output('accountsTable') }),
    ...(row.tables.billing && { BILLING_TABLE: stack.output('billingTable') }),
    ...(row.kms.customer && { CUSTOMER_KEY_ID: customerKey }),
    ...(row.kms.token && { TOKEN_KEY_ID: tokenKey, ...claims }),
    ...(['user', 'member', 'billing admin'].includes(row.caller) && {
      TOKEN_PUBLIC_KEY: `${publicKey?.id}.PublicKey`,
      ...claims,
    }),
    ...Object.fromEntries(row.secrets.map((name) => [secretVariables[name], stack.output(`${name}Arn`)])),
    ...(row.trigger.kind === 'unmatched' && { ROUTES: JSON.stringify(routes) }),
  }
}

describe('The service stack', () => {
  describe.each(rows)('Given the row $name', (row) => {
    it('has that function, as large and as patient as the row says', () => {
      expect(stack.lambda(row.name)).toMatchObject({
        Description: row.summary,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'handler.handler',
        MemorySize: row.memoryMb,
        Timeout: row.timeoutSeconds,
        LoggingConfig: { LogFormat: 'JSON' },
      })
    })

    it('tells it where its tables, keys, secrets and neighbours are, and nothing else', () => {
      expect(stack.lambda(row.name).Environment?.Variables ?? {}).toEqual(variables(row))
    })

    it('allows it exactly what the row lists', () => {
      expect(sorted(stack.statements(stack.lambda(row.name).Role))).toEqual(sorted(allowed(row)))
    })
  })

  it('has no function but the rows’ and the two that fetch the public key', () => {
    const names = stack.lambdas.map(({ FunctionName }) => FunctionName)
    expect(names.toSorted()).toEqual([...rows.map(({ name }) => name), 'token-public-key', undefined].toSorted())
  })

  it('gives every function a role and a log group of its own, kept for 90 days', () => {
    const groups = stack.resources('AWS::Logs::LogGroup', z.object({ RetentionInDays: z.number() }))
    expect(new Set(stack.lambdas.map(({ Role }) => Role)).size).toBe(rows.length + 2)
    expect(stack.lambdas.map(({ LoggingConfig }) => LoggingConfig.LogGroup).toSorted()).toEqual(
      groups.map(({ id }) => id).toSorted(),
    )
    expect(new Set(groups.map(({ Properties }) => Properties.RetentionInDays))).toEqual(new Set([90]))
  })

  it('attaches no managed policy, and no wildcard but every version of the function its provider calls', () => {
    const roles = stack.resources('AWS::IAM::Role', z.strictObject({ AssumeRolePolicyDocument: z.unknown() }))
    const statements = stack.lambdas.flatMap(({ Role }) => stack.statements(Role))
    expect(roles).toHaveLength(rows.length + 2)
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([])
    expect(statements.flatMap(({ Resource }) => Resource).filter((resource) => resource.includes('*'))).toEqual([
      `${stack.lambda('token-public-key').id}.Arn:*`,
    ])
  })
})

describe('The routes', () => {
  const integrations = stack.resources(
    'AWS::ApiGatewayV2::Integration',
    z.object({ IntegrationUri: reference, PayloadFormatVersion: z.literal('2.0') }),
  )
  const found = stack.resources('AWS::ApiGatewayV2::Route', z.object({ RouteKey: z.string(), Target: reference }))

  it('are the manifest’s, and everything else goes to the unmatched function', () => {
    const functionOf = (target: string) =>
      integrations.find(({ id }) => target === `integrations/${id}`)?.Properties.IntegrationUri
    const expected = rows.flatMap(({ name, trigger }) => {
      const lambda = `${stack.lambda(name).id}.Arn`
      if (trigger.kind === 'http') return [[`${trigger.method} ${trigger.path}`, lambda]]
      return trigger.kind === 'unmatched' ? [['$default', lambda]] : []
    })
    expect(found.map(({ Properties }) => [Properties.RouteKey, functionOf(Properties.Target)])).toEqual(expected)
  })

  it('are told to the unmatched function as JSON', () => {
    const { ROUTES } = stack.lambda('unmatched-route').Environment?.Variables ?? {}
    expect(JSON.parse(ROUTES ?? '')).toMatchObject({
      '/api/oauth/token': ['POST'],
      '/api/users/me': ['GET', 'PATCH'],
      '/api/billing/entitlements': ['GET'],
    })
  })
})
