import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type StageSettings, stageNamed } from '../../../../infra/data/stages.ts'
import { servesRelease } from '../../../../infra/manifest/row.ts'
import { crossOriginOf, type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { ORIGINS_KEY } from '../../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { slotKey } from '../../../../lib/adapters/dynamodb/slotStore.ts'
import { tableOfIndex } from '../../../../lib/adapters/dynamodb/tables.ts'
import { organizationIdSchema } from '../../../../lib/core/ids.ts'
import { changedStage, fullStage, stageWith, synthesizeStage } from './synthesized.ts'
import { reference, type Statement } from './templates.ts'

const rows: readonly FunctionRow[] = manifest
const stage = stageWith()
const { data, service: stack } = synthesizeStage(stage)
const anything = z.record(z.string(), z.unknown())

/** CDK makes one statement of those that allow the same actions without a condition. */
function merged(statements: readonly Statement[]): Statement[] {
  const alike = Map.groupBy(statements, ({ Action, Condition }) => JSON.stringify([Action.toSorted(), Condition]))
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, Resource: [first, ...others].flatMap(({ Resource }) => Resource) }] : [],
  )
}

const sorted = (statements: readonly Statement[]) =>
  statements
    .map((statement) => ({
      ...statement,
      Action: statement.Action.toSorted(),
      Resource: statement.Resource.toSorted(),
    }))
    .toSorted((a, b) => `${a.Action}${a.Resource}`.localeCompare(`${b.Action}${b.Resource}`))

function keyId(spec: string): string {
  const keys = data.resources('AWS::KMS::Key', z.object({ KeySpec: z.string() }))
  return keys.find(({ Properties }) => Properties.KeySpec === spec)?.id ?? `no key ${spec}`
}

const customerKey = keyId('SYMMETRIC_DEFAULT')
const tokenKey = keyId('RSA_2048')
const [deadLetters] = stack.resources('AWS::SQS::Queue', anything)
const [mailDomain] = data.resources('AWS::SES::EmailIdentity', anything)
const [mailSet] = data.resources('AWS::SES::ConfigurationSet', anything)
const secretVariables = {
  stripeSecretKey: 'STRIPE_SECRET_KEY_ARN',
  stripeWebhookSecrets: 'STRIPE_WEBHOOK_SECRETS_ARN',
  knownBrowserKey: 'KNOWN_BROWSER_KEY_ARN',
}

/** The keys in `accounts` of a row that does nothing else there; what it counts depends on the row. */
const narrow: Readonly<Record<string, readonly string[]>> = { UpdateItem: [], ConditionCheckItem: ['USER#*'] }

/** What the access to each table of a row is: a row with indexes queries these; one that only counts requests has its own counts. */
function tableStatements(row: FunctionRow): Statement[] {
  const Effect = 'Allow'
  const touched = new Map<string, readonly string[]>(Object.entries(row.tables))
  return [...touched].flatMap(([name, actions]): Statement[] => {
    const arn = `${data.output(`${name}Table`)}.Arn`
    const indexes = (row.indexes ?? []).filter((index) => tableOfIndex(index) === name)
    const Action = actions.map((action) => `dynamodb:${action}`)
    if (name === 'accounts' && actions.includes('UpdateItem') && actions.every((action) => action in narrow)) {
      const isOfOrganization = ['member', 'billing admin', 'owner'].includes(row.caller)
      const counts = [`RATE#${row.name}#*`, ...(isOfOrganization ? ['RATE#organization-throttle#*'] : [])]
      const keysOf = { ...narrow, UpdateItem: counts }
      return Object.entries(keysOf)
        .filter(([action]) => actions.includes(action))
        .map(([action, keys]) => ({
          Effect,
          Action: [`dynamodb:${action}`],
          Resource: [arn],
          Condition: onlyKeys(keys),
        }))
    }
    if (name === 'billing' && (row.asksStripe || !row.secrets.includes('stripeSecretKey'))) {
      const isWrite = (action: string) => /Put|Update|Delete/.test(action)
      const Condition = onlyKeys(['ORG#*', 'USER#*', 'INVITE#*', 'INVITED#*', 'DELETION', 'MONEY_MAIL', 'DOMAIN'])
      const reads: Statement = { Effect, Action: Action.filter((action) => !isWrite(action)), Resource: [arn] }
      const writes: Statement = { Effect, Action: Action.filter(isWrite), Resource: [arn], Condition }
      return [reads, writes].filter((statement) => statement.Action.length > 0)
    }
    if (indexes.length === 0) return [{ Effect, Action, Resource: [arn] }]
    const Resource = indexes.map((index) => `${arn}/index/${index}`)
    return [
      { Effect, Action: Action.filter((action) => name !== 'billing' || action !== 'dynamodb:Query'), Resource: [arn] },
      { Effect, Action: ['dynamodb:Query'], Resource },
    ]
  })
}

function onlyKeys(patterns: readonly unknown[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  }
}

/** What users call reads of accounts whether the caller's grant is live: no password's hash, no session, no code. */
function callersStatements(row: FunctionRow): Statement[] {
  const isUsers = ['user', 'member', 'billing admin', 'owner'].includes(row.caller)
  if (!isUsers || row.tables.accounts?.includes('BatchGetItem')) return []
  const Condition = {
    ...onlyKeys(['USER#*', 'API_CLIENTS#*', 'CLIENT#service_*', 'TOKEN_FAMILY#*']),
    'ForAllValues:StringEquals': {
      'dynamodb:Attributes': [
        ...['pk', 'sk', 'isActive', 'securityRev', 'keptFamily', 'hasSecondFactor', 'email', 'createdBy', 'disabled'],
      ],
    },
    StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  }
  const Resource = [`${data.output('accountsTable')}.Arn`]
  return [{ Effect: 'Allow', Action: ['dynamodb:BatchGetItem'], Resource, Condition }]
}

/** What answers pages of registered clients reads the item of their origins; what may read every item needs no permission for it. */
function originsStatements(row: FunctionRow): Statement[] {
  if (crossOriginOf(row) !== 'registered' || row.tables.accounts?.includes('GetItem')) return []
  const Condition = onlyKeys([ORIGINS_KEY.pk])
  const Resource = [`${data.output('accountsTable')}.Arn`]
  return [{ Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource, Condition }]
}

const boundBy = (attribute: string, value: string, owner: string) => ({
  StringEquals: { [`kms:EncryptionContext:${attribute}`]: value },
  Null: { [`kms:EncryptionContext:${owner}`]: 'false' },
})

/** The encryption context that each use of the customer key is bound to. */
const keyContexts = {
  customer: boundBy('attribute', 'stripe_customer_id', 'organization_id'),
  totp: boundBy('purpose', 'totp', 'user_id'),
  webhook: boundBy('purpose', 'webhook_secret', 'owner'),
  provider: boundBy('purpose', 'provider_secret', 'owner'),
}

/** All that a row may do, and nothing else. */
function allowed(row: FunctionRow): Statement[] {
  const Effect = 'Allow'
  const log = `${stack.lambda(row.name).LoggingConfig.LogGroup}.Arn`
  const statements: Statement[] = [
    { Effect, Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: [log] },
    ...tableStatements(row),
    ...callersStatements(row),
    ...originsStatements(row),
  ]
  for (const use of ['customer', 'totp', 'webhook', 'provider'] as const) {
    const Action = row.kms[use]?.map((action) => `kms:${action}`)
    if (Action) statements.push({ Effect, Action, Resource: [`${customerKey}.Arn`], Condition: keyContexts[use] })
  }
  if (row.kms.token) {
    const Condition = { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } }
    statements.push({ Effect, Action: ['kms:Sign'], Resource: [`${tokenKey}.Arn`], Condition })
  }
  if (row.secrets.length > 0) {
    const Resource = row.secrets.map((name) => data.output(`${name}Arn`))
    statements.push({ Effect, Action: ['secretsmanager:GetSecretValue'], Resource })
  }
  if (row.mail) {
    const Condition = { StringEquals: { 'ses:FromAddress': 'no-reply@console.example.com' } }
    const identity = `arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/${mailDomain?.id}`
    const set = `arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:configuration-set/${mailSet?.id}`
    statements.push({ Effect, Action: ['ses:SendEmail'], Resource: [set, identity], Condition })
  }
  if (row.trigger.kind === 'schedule' && row.trigger.stream !== undefined) {
    const Action = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((one) => `dynamodb:${one}`)
    statements.push({ Effect, Action, Resource: [`${data.output('eventsTable')}.StreamArn`] })
  }
  if (row.trigger.kind === 'schedule') {
    const Action = ['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl']
    statements.push({ Effect, Action, Resource: [`${deadLetters?.id}.Arn`] })
  }
  return statements
}

function limitOf(functionName: string, { requestsPerMinute, failMode }: NonNullable<FunctionRow['rateLimit']>) {
  return { functionName, requests: requestsPerMinute, windowSeconds: 60, failMode }
}

/** The whole environment of a row, by what it touches and who calls it. */
function variables(row: FunctionRow): Record<string, string> {
  const claims = { TOKEN_ISSUER: stack.output('ApiUrl'), TOKEN_AUDIENCE: 'console' }
  const isPage = row.trigger.kind === 'http' && row.operationId === undefined
  const [publicKey] = stack.resources('Custom::TokenPublicKey', z.object({ KeyId: reference }))
  return {
    STAGE: 'dev',
    ...((row.tables.accounts || crossOriginOf(row) === 'registered') && {
      ACCOUNTS_TABLE: data.output('accountsTable'),
    }),
    ...(row.tables.billing && { BILLING_TABLE: data.output('billingTable') }),
    ...(row.tables.events && { EVENTS_TABLE: data.output('eventsTable') }),
    ...(row.tables.auditLog && { AUDIT_LOG_TABLE: data.output('auditLogTable') }),
    ...((row.kms.customer || row.kms.totp || row.kms.webhook || row.kms.provider) && { CUSTOMER_KEY_ID: customerKey }),
    ...(row.kms.token && { TOKEN_KEY_ID: tokenKey, ...claims }),
    ...((row.holdsPublicKey || ['user', 'member', 'billing admin', 'owner'].includes(row.caller)) && {
      TOKEN_PUBLIC_KEY: `${publicKey?.id}.PublicKey`,
      ...claims,
    }),
    ...Object.fromEntries(row.secrets.map((name) => [secretVariables[name], data.output(`${name}Arn`)])),
    ...((crossOriginOf(row) === 'registered' || isPage) && { DEVELOPMENT_REDIRECTS: 'on' }),
    ...(row.trigger.kind === 'http' &&
      (row.passkeys || row.trigger.path.startsWith('/api/oauth/')) && { TOKEN_ISSUER: stack.output('ApiUrl') }),
    ...((row.mail || row.namesService || row.passkeys || isPage) && {
      BRANDING: JSON.stringify(stageNamed('dev').branding),
    }),
    ...(row.mail && {
      MAIL_FROM: 'Console <no-reply@console.example.com>',
      MAIL_CONFIGURATION_SET: `${mailSet?.id}`,
      ACCOUNT_URL: stack.output('ApiUrl'),
    }),
    ...(servesRelease(row) && { RELEASE_READER: 'unknown_user' }),
    ...(row.rateLimit && { RATE_LIMITS: 'on', RATE_LIMIT: JSON.stringify(limitOf(row.name, row.rateLimit)) }),
  }
}

describe('Given a stage with an API client of the canary', () => {
  const clientId = fullStage.canaryClient?.clientId
  const full = synthesizeStage(fullStage).service

  it('lets it read from new versions of functions that change nothing, and from no other', () => {
    const readers = rows.map((row) => [row.name, full.lambda(row.name).Environment?.Variables?.RELEASE_READER])
    expect(readers).toEqual(rows.map((row) => [row.name, servesRelease(row) ? clientId : undefined]))
    expect(rows.filter(servesRelease).length).toBeGreaterThan(15)
  })

  it('names it to the check of releases, if they wait for what they read', () => {
    const readerOf = (of: typeof full) => of.lambda('release-check').Environment?.Variables?.RELEASE_READER
    expect([readerOf(full), readerOf(stack), readerOf(synthesizeStage(changedStage).service)]).toEqual([
      clientId,
      'unknown_user',
      undefined,
    ])
  })
})

describe('Given a stage that looks new passwords up', () => {
  it('names the list to the functions that take one, and to no other', () => {
    const { service } = synthesizeStage(changedStage)
    const named = rows.filter(
      ({ name }) =>
        service.lambda(name).Environment?.Variables?.PWNED_PASSWORDS_URL === 'https://api.pwnedpasswords.com',
    )
    expect(named.map(({ name }) => name)).toEqual([
      'auth-register',
      'auth-password-reset',
      'auth-password-change',
      'account-link-submit',
    ])
  })
})

describe('Given a stage on which Stripe’s own mails are on', () => {
  it('sends no mails about money itself', () => {
    const setting = (stage: StageSettings) =>
      synthesizeStage(stage).service.lambda('billing-mails').Environment?.Variables?.MONEY_MAILS
    expect([setting(stage), setting(changedStage)]).toEqual([undefined, 'off'])
  })
})

describe('Given a stage on which companies have single sign-on', () => {
  it('asks for the address first on the pages that show a sign-in', () => {
    const setting = (stage: StageSettings) =>
      synthesizeStage(stage).service.lambda('oauth-authorize').Environment?.Variables?.COMPANY_SIGN_IN
    expect([setting(stage), setting(changedStage)]).toEqual([undefined, 'on'])
  })
})

describe('The service stack', () => {
  describe.each(rows)('Given the row $name', (row) => {
    it('has that function, under the stage’s name, as large and as patient as the row says', () => {
      expect(stack.lambda(row.name)).toMatchObject({
        FunctionName: `dev-${row.name}`,
        Description: row.summary,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'handler.handler',
        MemorySize: row.memoryMb,
        Timeout: row.timeoutSeconds,
        LoggingConfig: { LogFormat: 'JSON' },
      })
    })

    it('sets the variables with its tables, keys, secrets and limit, and no other', () => {
      expect(stack.lambda(row.name).Environment?.Variables ?? {}).toEqual(variables(row))
    })

    it('allows it exactly what the row lists', () => {
      expect(sorted(stack.statements(stack.lambda(row.name).Role))).toEqual(sorted(merged(allowed(row))))
    })
  })

  it('lets no function that asks nothing of Stripe write a slot, whose partition is another', () => {
    const organizationId = organizationIdSchema.parse('00000000-0000-4000-8000-000000000000')
    const { pk } = slotKey({ organizationId, product: 'ota' })
    const writers = rows.filter(({ tables }) => /Put|Update|Delete/.test(tables.billing?.join() ?? ''))
    const may = writers.filter(({ name }) =>
      stack.statements(stack.lambda(name).Role).some(({ Action, Resource, Condition }) => {
        const isWrite = Action.some((action) => /:(Put|Update|Delete)Item/.test(action))
        const isBilling = Resource.includes(`${data.output('billingTable')}.Arn`)
        const patterns = z
          .array(z.string())
          .parse(Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? ['*'])
        const matches = patterns.some((pattern) => pk.startsWith(pattern.replace('*', '')))
        return isWrite && isBilling && matches
      }),
    )
    expect(writers.length).toBeGreaterThan(may.length + 5)
    expect(may.filter(({ secrets }) => !secrets.includes('stripeSecretKey'))).toEqual([])
    expect(may.map(({ name }) => name)).toContain('billing-checkout')
  })

  it('lets no function do more to the audit log than to add to it, or to read it', () => {
    const uses = rows.flatMap(({ tables }) => (tables.auditLog ? [tables.auditLog.join()] : []))
    expect(new Set(uses)).toEqual(new Set(['PutItem', 'Query']))
  })

  it('lets every function that limits its callers count them', () => {
    const limited = rows.filter(({ rateLimit }) => rateLimit !== undefined)
    expect(limited.length).toBeGreaterThan(30)
    expect(limited.filter(({ tables }) => !tables.accounts?.includes('UpdateItem'))).toEqual([])
  })

  // [asvs 6.3.2 15.2.3]
  it('has no function but the rows’ the two that fetch the public key, and the check of releases', () => {
    const names = stack.lambdas.map(({ FunctionName }) => FunctionName)
    const expected = [...rows.map(({ name }) => `dev-${name}`), 'dev-token-public-key', 'dev-release-check', undefined]
    expect(names.toSorted()).toEqual(expected.toSorted())
  })

  it('gives every function a role and a log group of its own, kept as long as the stage says', () => {
    const logGroup = z.object({ RetentionInDays: z.number(), LogGroupName: z.string().optional() })
    const groupsOf = ({ service }: ReturnType<typeof synthesizeStage>) =>
      service.resources('AWS::Logs::LogGroup', logGroup)
    const names = groupsOf(synthesizeStage(stage)).map(({ Properties }) => Properties.LogGroupName)
    expect(new Set(stack.lambdas.map(({ Role }) => Role)).size).toBe(rows.length + 3)
    expect(new Set(stack.lambdas.map(({ LoggingConfig }) => LoggingConfig.LogGroup)).size).toBe(rows.length + 3)
    expect(names).toEqual(expect.arrayContaining(rows.map(({ name }) => `/aws/lambda/dev-${name}`)))
    const keptFor = (of: StageSettings) =>
      new Set(groupsOf(synthesizeStage(of)).map(({ Properties }) => Properties.RetentionInDays))
    expect([keptFor(stage), keptFor(changedStage)]).toEqual([new Set([7]), new Set([90])])
  })

  it('keeps what was logged where the stage keeps its data, unless the log was made by a deployment that failed', () => {
    const policies = (of: StageSettings) => {
      const { service } = synthesizeStage(of)
      return new Set(service.resources('AWS::Logs::LogGroup', z.looseObject({})).map((log) => log.DeletionPolicy))
    }
    expect([changedStage.removal, stage.removal]).toEqual(['retain', 'destroy'])
    expect(policies(changedStage)).toEqual(new Set(['RetainExceptOnCreate']))
    expect(policies(stage)).toEqual(new Set(['Delete']))
  })

  it('attaches no managed policy to a function, and no wildcard but versions of what is called while deploying', () => {
    const role = z.looseObject({ ManagedPolicyArns: z.array(z.unknown()).optional() })
    const managed = stack.resources('AWS::IAM::Role', role).filter(({ Properties }) => Properties.ManagedPolicyArns)
    const statements = stack.lambdas.flatMap(({ Role }) => stack.statements(Role))
    expect(managed.map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(['ReleasesRole'])
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([])
    const wild = statements.flatMap(({ Resource }) => Resource).filter((resource) => resource.includes('*'))
    const expected = [
      `${stack.lambda('token-public-key').id}.Arn:*`,
      ...rows.map(({ name }) => `arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:dev-${name}:*`),
      'arn:AWS::Partition:codedeploy:AWS::Region:AWS::AccountId:deploymentgroup:dev-console/*',
    ]
    expect(wild.toSorted()).toEqual(expected.toSorted())
  })

  // [asvs 13.3.1]
  it('holds no secret, nor a reference that CloudFormation would resolve to one', () => {
    expect(JSON.stringify([data.json, stack.json])).not.toMatch(/\b[sr]k_(test|live)_|whsec_|resolve:secretsmanager/)
  })

  it('keeps room for the webhook, and never runs a schedule twice at once, except what a stream starts too', () => {
    const reserved = stack.lambdas.flatMap(({ FunctionName, ReservedConcurrentExecutions }) =>
      ReservedConcurrentExecutions ? [[FunctionName, ReservedConcurrentExecutions]] : [],
    )
    const expected = {
      'dev-billing-sweep': 1,
      'dev-billing-mails': 1,
      'dev-events-relay': 10,
      'dev-events-deliver': 10,
      'dev-billing-reconcile': 1,
      'dev-deletions-erase': 1,
      'dev-domains-check': 1,
      'dev-factor-resets-run': 1,
      'dev-stripe-webhook': 5,
    }
    expect(Object.fromEntries(reserved)).toEqual(expected)
  })
})
