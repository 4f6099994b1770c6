import * as z from 'zod'
import type { StageSettings } from '../../data/stages.ts'
import { stackNames } from '../stacks/stackNames.ts'
import type { RunAws } from './awsCommand.ts'
import { fillSecret, isFilled, outputsOf, readIfThere } from './deployedStage.ts'
import { type Finding, must, should } from './finding.ts'
import { restoredTableChecks } from './restoredTableChecks.ts'

/** Concurrent executions of the account that Lambda keeps for functions without a reservation. */
const UNRESERVED = 100

/** The first bootstrap version that has the role for look-ups. */
const BOOTSTRAP = 8

/** Those of the domains in `lambdaEndpoint.ts`. If a stage names no region, only the credentials say where it is. */
const partitions: readonly string[] = ['aws', 'aws-cn', 'aws-us-gov']

/** What the account lacks for a stage, with what to do. Changes nothing. Throws if AWS does not answer. */
export function preflightChecks(stage: StageSettings, aws: RunAws): Finding[] {
  const { Account, Arn } = z
    .object({ Account: z.string(), Arn: z.string().default('') })
    .parse(JSON.parse(aws('sts', 'get-caller-identity', '--output', 'json')))
  if (stage.account !== undefined && stage.account !== Account) {
    return [must(`The credentials are of account ${Account}, and ${stage.name} is in ${stage.account}: use its own`)]
  }
  const [, partition = ''] = Arn.split(':')
  if (partition !== '' && !partitions.includes(partition)) {
    return [
      must(
        `The account is in ${partition}, whose endpoints the bundles do not know: see infra/aws/bundle/lambdaEndpoint.ts`,
      ),
    ]
  }
  return [
    ...concurrency(stage, aws),
    ...bootstrap(stage, aws, Account),
    ...mail(stage, aws),
    ...secrets(stage, aws),
    ...alarms(stage, aws),
    ...backups(stage, aws),
    ...restoredTableChecks(stage, aws),
    ...restore(stage, aws),
  ]
}

function concurrency(stage: StageSettings, aws: RunAws): Finding[] {
  const settings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) })
  const { AccountLimit } = settings.parse(JSON.parse(aws('lambda', 'get-account-settings', '--output', 'json')))
  const reserved = Object.values(stage.reservedConcurrency).reduce((sum, each) => sum + each, 0)
  const needed = reserved + UNRESERVED
  const limit = AccountLimit.ConcurrentExecutions
  if (limit >= needed) return limit === stage.concurrencyQuota ? [] : [otherQuota(stage, limit)]
  const request = 'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384'
  return [
    must(
      `The account runs ${limit} functions at once, and ${stage.name} needs ${needed} ` +
        `(${reserved} reserved, ${UNRESERVED} that Lambda keeps for the rest): ${request} --desired-value 1000`,
    ),
  ]
}

/** The threshold of `ConcurrencyNearQuota` follows the stage's `concurrencyQuota`, not the account's real quota. */
function otherQuota({ name, concurrencyQuota }: StageSettings, limit: number): Finding {
  const alarm = limit < concurrencyQuota ? 'goes off too late or never' : 'goes off too early'
  return should(
    `The account runs ${limit} functions at once, and ${name} has a concurrencyQuota of ${concurrencyQuota}, so that the alarm ` +
      `ConcurrencyNearQuota ${alarm}: set concurrencyQuota to ${limit} in infra/data/stages.ts`,
  )
}

function bootstrap({ region }: StageSettings, aws: RunAws, account: string): Finding[] {
  const parameter = z.object({ Parameter: z.object({ Value: z.coerce.number() }) })
  const answer = readIfThere(aws, 'ssm', 'get-parameter', '--name', '/cdk-bootstrap/hnb659fds/version')
  const version = answer === undefined ? 0 : parameter.parse(answer).Parameter.Value
  if (version >= BOOTSTRAP) return []
  const has =
    version === 0 ? 'not bootstrapped' : `bootstrapped with version ${version}, of which ${BOOTSTRAP} is needed`
  return [must(`The account is ${has}: npx cdk bootstrap aws://${account}/${region ?? '<region>'}`)]
}

function mail(stage: StageSettings, aws: RunAws): Finding[] {
  const { data } = stackNames(stage)
  const { domain, sandbox = false } = stage.mail
  const account = z.object({ ProductionAccessEnabled: z.boolean(), SendingEnabled: z.boolean() })
  const ses = account.parse(JSON.parse(aws('sesv2', 'get-account', '--output', 'json')))
  const found: Finding[] = []
  if (!ses.SendingEnabled) found.push(should('SES has paused the account’s sending: see its console for the reason'))
  if (!ses.ProductionAccessEnabled && !sandbox) {
    found.push(
      should(
        'SES has the account in its sandbox, where functions may not send to anyone: request production access (aws sesv2 put-account-details), ' +
          'or set sandbox of the stage’s mail, and mails reach the addresses that are verified',
      ),
    )
  }
  if (ses.ProductionAccessEnabled && sandbox) {
    found.push(should('SES has let the account out of its sandbox: remove sandbox from the stage’s mail'))
  }
  const identity = readIfThere(aws, 'sesv2', 'get-email-identity', '--email-identity', domain)
  if (identity === undefined) return found
  if (outputsOf(aws, data) === undefined) {
    found.push(
      must(
        `SES knows ${domain} already, so that ${data} cannot create it: delete it (aws sesv2 delete-email-identity), or import it ` +
          `(npx cdk deploy ${data} --app cdk.out --exclusively --import-existing-resources)`,
      ),
    )
  } else if (!z.object({ VerifiedForSendingStatus: z.boolean() }).parse(identity).VerifiedForSendingStatus) {
    found.push(should(`SES has not found ${domain} in DNS yet: put <MailDns1> to <MailDns3> of ${data} there`))
  }
  return found
}

function secrets(stage: StageSettings, aws: RunAws): Finding[] {
  const { data } = stackNames(stage)
  const outputs = outputsOf(aws, data)
  if (outputs === undefined) return []
  return ['stripeSecretKeyArn', 'stripeWebhookSecretsArn'].flatMap((name) => {
    const arn = outputs.get(name)
    return arn === undefined || isFilled(aws, arn)
      ? []
      : [should(`${name} of ${data} has no value: ${fillSecret(arn)}`)]
  })
}

function alarms(stage: StageSettings, aws: RunAws): Finding[] {
  const { observability } = stackNames(stage)
  if (stage.alarmEmail === undefined) {
    return [should(`Alarms of ${stage.name} notify no address: set alarmEmail in infra/data/stages.ts`)]
  }
  const topic = outputsOf(aws, observability)?.get('AlarmTopic')
  if (topic === undefined) return []
  const subscriptions = z.object({ Subscriptions: z.array(z.object({ SubscriptionArn: z.string() })) })
  const answer = aws('sns', 'list-subscriptions-by-topic', '--topic-arn', topic, '--output', 'json')
  const { Subscriptions } = subscriptions.parse(JSON.parse(answer))
  const isConfirmed = Subscriptions.some(({ SubscriptionArn }) => SubscriptionArn.startsWith('arn:'))
  return isConfirmed
    ? []
    : [should(`No one has confirmed the mail about alarms to ${stage.alarmEmail}: they are not sent`)]
}

/** AWS Backup skips tables that the region has not opted in, and copies to another account only what it manages itself. Neither is an error. */
function backups({ backupVaultArn }: StageSettings, aws: RunAws): Finding[] {
  if (backupVaultArn === undefined) return []
  const preferences = z.object({ DynamoDB: z.boolean().default(false) }).default({ DynamoDB: false })
  const settings = z.object({
    ResourceTypeOptInPreference: preferences,
    ResourceTypeManagementPreference: preferences,
  })
  const answer = settings.parse(JSON.parse(aws('backup', 'describe-region-settings', '--output', 'json')))
  const lacking = Object.entries(answer).flatMap(([preference, { DynamoDB }]) => (DynamoDB ? [] : [preference]))
  const options = lacking.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).slice(1)}`)
  if (options.length === 0) return []
  return [
    must(
      `AWS Backup would copy no table to ${backupVaultArn}, because this region has not opted DynamoDB in: ` +
        `aws backup update-region-settings ${options.map((option) => `${option} DynamoDB=true`).join(' ')}`,
    ),
  ]
}

function restore({ name, maintenance, restoredTables }: StageSettings, aws: RunAws): Finding[] {
  const table = restoredTables?.billing
  if (table === undefined || maintenance || isAdopted(aws, table)) return []
  return [
    must(
      `${table} lacks what was bought since the backup, and would sell it again: deploy with maintenance, then ` +
        `npm run reconcile -- --aws --stage ${name} --adopt-only --apply (infra/runbook/restore.md)`,
    ),
  ]
}

/** The record of the last pass: its table, and whether it only adopts (`lib/adapters/dynamodb/passStore.ts`). */
const pass = z.object({
  table: z.object({ S: z.string() }).optional(),
  adoptOnly: z.object({ BOOL: z.boolean() }),
  phase: z.object({ S: z.string() }),
})

/**
 * Whether a pass that only adopts is complete in a table restored from a backup. Before that, slots lack the purchases made since the
 * backup, and would make them again.
 */
function isAdopted(aws: RunAws, table: string): boolean {
  const key = JSON.stringify({ pk: { S: 'RECONCILIATION' }, sk: { S: 'PASS' } })
  const item = readIfThere(
    aws,
    ...['dynamodb', 'get-item', '--table-name', table, '--key', key, '--consistent-read', '--query', 'Item'],
  )
  const last = pass.nullish().parse(item)
  if (last?.table?.S !== table) return false
  // An ordinary pass starts only after an adopting pass.
  return !last.adoptOnly.BOOL || last.phase.S === 'complete'
}
