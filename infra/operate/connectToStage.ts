import { fromTemporaryCredentials } from '@aws-sdk/credential-providers'
import * as z from 'zod'
import { takeCredentials } from '../../lib/adapters/awsClient.ts'
import { type AwsCommandIn, awsCommand } from '../aws/deploy/awsCommand.ts'
import { outputsOf } from '../aws/deploy/deployedStage.ts'
import { stackNames } from '../aws/stacks/stackNames.ts'
import { stageNamed } from '../data/stages.ts'
import { setEnvironment } from '../local/functionEnvironment.ts'

const identity = z.object({ Account: z.string(), Arn: z.string() })

/** The variables of operators' commands, by the outputs of the data stack that hold their values. */
const variables = {
  accountsTable: 'ACCOUNTS_TABLE',
  billingTable: 'BILLING_TABLE',
  auditLogTable: 'AUDIT_LOG_TABLE',
  eventsTable: 'EVENTS_TABLE',
  customerKeyId: 'CUSTOMER_KEY_ID',
  stripeSecretKeyArn: 'STRIPE_SECRET_KEY_ARN',
} as const

/** An hour is the most that AWS gives a session that another session assumes: the SDK asks for the next before it ends. */
const SESSION_SECONDS = 3600

/**
 * Gives this process the tables, the key and the secret of a deployed stage, and has its AWS clients act as the stage's operator role. Prints who
 * that is. Import modules that read the environment only afterwards.
 * @param name of a stage
 * @throws Error with a text for the operator if AWS refuses, or if the stage is not deployed in the account of the credentials
 */
export async function connectToStage(name: string, awsIn: AwsCommandIn = awsCommand): Promise<void> {
  const stage = stageNamed(name)
  const aws = awsIn(stage.region)
  const { Account, Arn } = identity.parse(JSON.parse(aws('sts', 'get-caller-identity', '--output', 'json')))
  if (stage.account !== undefined && stage.account !== Account)
    throw new Error(`The credentials are of account ${Account}, and ${name} is in ${stage.account}: use its own`)
  const { data } = stackNames(stage)
  const outputs = outputsOf(aws, data)
  if (outputs === undefined) throw new Error(`${data} is not deployed in account ${Account}`)
  const outputOf = (key: string) => {
    const value = outputs.get(key)
    if (value === undefined) throw new Error(`${data} has no output ${key}: deploy it first`)
    return value
  }
  const values = Object.entries(variables).map(([key, variable]) => [variable, outputOf(key)] as const)
  const secretArn = outputOf('stripeSecretKeyArn')
  const region = secretArn.split(':')[3]
  if (!region) throw new Error(`${data} has no ARN of a secret`)
  const RoleArn = outputOf('operatorRoleArn')
  const RoleSessionName = sessionName(Arn)
  const credentials = fromTemporaryCredentials({
    params: { RoleArn, RoleSessionName, DurationSeconds: SESSION_SECONDS },
    clientConfig: { region },
  })
  try {
    await credentials()
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason given'
    throw new Error(
      `${Arn} may not be ${RoleArn}: ${why}. Sign in through IAM Identity Center, or with MFA (infra/README.md, Commands)`,
    )
  }
  setEnvironment({ AWS_REGION: region, ...Object.fromEntries(values) })
  takeCredentials(credentials)
  console.error(`As ${RoleArn.split('/').at(-1)} (${RoleSessionName}), account ${Account}, ${region}`)
}

/** Who the person is, as CloudTrail will say it: the name of the user or of the session. AWS takes 2 to 64 characters of a few kinds. */
function sessionName(arn: string): string {
  const name = (arn.split('/').at(-1) ?? '').replace(/[^\w+=,.@-]/g, '-').slice(0, 64)
  return name.length < 2 ? `operator-${name}` : name
}
