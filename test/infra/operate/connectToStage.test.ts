import { createServer } from 'node:http'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { setEnvironment } from '../../../infra/local/functionEnvironment.ts'
import { createResourceScope } from '../../../infra/local/resourceScope.ts'
import { connectToStage } from '../../../infra/operate/connectToStage.ts'
import { connect } from '../../../infra/operate/target.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { environment } from '../../../lib/runtime/environment.ts'
import { type DeployedStageOptions, deployedStage } from '../../support/aws/deployedStage.ts'

const outputs = {
  accountsTable: 'dev-accounts',
  billingTable: 'dev-billing',
  auditLogTable: 'dev-audit-log',
  eventsTable: 'dev-events',
  customerKeyId: 'key-1',
  stripeSecretKeyArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:StripeSecretKey-a1b2c3',
}

let opened = createResourceScope()
afterEach(async () => {
  jest.restoreAllMocks()
  await opened.close()
  opened = createResourceScope()
})

/** A deployed stage dev, with what the command prints about it. */
async function deployed(options: Partial<DeployedStageOptions> = {}) {
  const stage = await opened.add(deployedStage({ name: 'dev', outputs, ...options }))
  opened.add(setEnvironment({ ...stage.environment, AWS_REGION: 'us-east-1', STRIPE_SECRET_KEY_ARN: 'none' }))
  const said = jest.spyOn(console, 'error').mockImplementation(() => {})
  return { ...stage, said: () => said.mock.calls.flat().join('\n') }
}

/** A DynamoDB without items, and the access keys of the calls that it gets. */
async function emptyDynamoDb() {
  const accessKeys: string[] = []
  const server = createServer((request, response) => {
    accessKeys.push(/Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}')
  })
  const { url: endpoint, close } = await listenOnLoopback(server)
  opened.add({ close })
  return { endpoint, accessKeys }
}

describe('An operators’ command with --aws --stage dev', () => {
  it('finds the stage by the outputs of its data stack, and says as whom it acts, by the person’s name', async () => {
    const stage = await deployed()
    await connectToStage('dev')
    expect(stage.said()).toBe('As dev-operator-us-east-1 (ada@example.com), account 111122223333, eu-central-1')
    expect(stage.assumed).toEqual([{ roleArn: stage.roleArn, session: 'ada@example.com', seconds: 3600 }])
    const { AWS_REGION, ACCOUNTS_TABLE, BILLING_TABLE, AUDIT_LOG_TABLE, CUSTOMER_KEY_ID, STRIPE_SECRET_KEY_ARN } =
      environment
    expect([AWS_REGION, ACCOUNTS_TABLE, BILLING_TABLE, AUDIT_LOG_TABLE, CUSTOMER_KEY_ID]).toEqual([
      'eu-central-1',
      'dev-accounts',
      'dev-billing',
      'dev-audit-log',
      'key-1',
    ])
    expect(STRIPE_SECRET_KEY_ARN).toBe(outputs.stripeSecretKeyArn)
  })

  it('makes its calls as the role, and takes another session before the last one ends', async () => {
    const stage = await deployed({ sessionMs: 1000 })
    await connectToStage('dev')
    const { endpoint, accessKeys } = await emptyDynamoDb()
    const documents = createDocumentClient({ region: 'eu-central-1', endpoint })
    const read = () => documents.send(new GetCommand({ TableName: 'dev-accounts', Key: { pk: 'a', sk: 'b' } }))
    await read()
    await read()
    documents.destroy()
    expect(accessKeys.length).toBe(2)
    expect(new Set(accessKeys).size).toBe(2)
    expect(accessKeys.every((key) => key.startsWith('OPERATOR'))).toBe(true)
    expect(stage.assumed.length).toBeGreaterThan(2)
  })

  it('keeps a session that has not ended', async () => {
    await deployed()
    await connectToStage('dev')
    const { endpoint, accessKeys } = await emptyDynamoDb()
    const documents = createDocumentClient({ region: 'eu-central-1', endpoint })
    for (let n = 0; n < 3; n += 1) {
      await documents.send(new GetCommand({ TableName: 'dev-accounts', Key: { pk: 'a', sk: 'b' } }))
    }
    documents.destroy()
    expect(new Set(accessKeys).size).toBe(1)
  })

  it('says what to do if the person may not be the operator', async () => {
    await deployed({ refuses: true, caller: 'arn:aws:iam::111122223333:user/ada' })
    await expect(connectToStage('dev')).rejects.toThrow(
      /^arn:aws:iam::111122223333:user\/ada may not be arn:\S+: User: .* Sign in through IAM Identity Center, or with MFA/,
    )
  })

  it.each([
    ['arn:aws:iam::111122223333:user/people/ada', 'ada'],
    ['arn:aws:sts::111122223333:assumed-role/Admin/a', 'operator-a'],
    ['arn:aws:sts::111122223333:assumed-role/Admin/ada lovelace (support)', 'ada-lovelace--support-'],
  ])('is %s in CloudTrail', async (caller, session) => {
    const stage = await deployed({ caller })
    await connectToStage('dev')
    expect(stage.assumed).toMatchObject([{ session }])
  })

  it('refuses a stage that is not deployed, or from before it had the role', async () => {
    await deployed({ name: 'staging' })
    await expect(connectToStage('dev')).rejects.toThrow('dev-console-data is not deployed in account 111122223333')
    const { customerKeyId: _, ...older } = outputs
    await deployed({ outputs: older })
    await expect(connectToStage('dev')).rejects.toThrow('dev-console-data has no output customerKeyId: deploy it first')
  })

  it.each([{ aws: true }, { aws: false, stage: 'prod' }])('needs both: %j is refused', async (target) => {
    await expect(connect(target)).rejects.toThrow('--aws and --stage NAME go together')
  })
})
