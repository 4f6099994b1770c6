import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import { rateLimitVariable } from '../../data/rateLimits.ts'
import type { StageSettings } from '../../data/stages.ts'
import { type Area, areas, carriesToken, crossOriginOf, type FunctionRow, type StreamName } from '../../manifest.ts'
import { urlFaults } from '../alarms/metrics.ts'
import type { CodeDirectory } from '../bundle/bundle.ts'
import { DeadLetters } from '../constructs/functions/DeadLetters.ts'
import { nameReleaseReader } from '../constructs/functions/ReleaseCheck.ts'
import { releaseAlarm } from '../constructs/functions/Releases.ts'
import { ScheduledRuns } from '../constructs/functions/ScheduledRuns.ts'
import { ServiceFunction } from '../constructs/functions/ServiceFunction.ts'
import { StreamRuns } from '../constructs/functions/StreamRuns.ts'
import { WebhookUrl } from '../constructs/http/WebhookUrl.ts'
import type { ApiStack } from './apiStack.ts'
import type { DataStack } from './dataStack.ts'

/** An area of the manifest, and what its functions are built from. */
interface FunctionsStackProps extends StackProps {
  readonly area: Area
  readonly stage: StageSettings
  readonly data: DataStack
  readonly api: ApiStack
  readonly codeDirectory: CodeDirectory
}

/** Have I Been Pwned. Range requests need no key. */
const PWNED_PASSWORDS_URL = 'https://api.pwnedpasswords.com'

const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/**
 * Whether maintenance stops a function: all that may write the table `billing`, including the webhook and the schedules. Functions that
 * only read keep running. Derived from the manifest, so that it includes each new function.
 */
function isStopped({ maintenance }: StageSettings, { tables }: FunctionRow): boolean {
  return maintenance && (tables.billing ?? []).some((action) => writes.has(action))
}

/** Whether an endpoint is rate-limited by source IP, because its callers are not signed in. */
function isKnownByAddress({ caller, rateLimit }: FunctionRow): boolean {
  return (caller === 'anyone' || caller === 'client') && rateLimit !== undefined
}

/** Whether a row is a hosted page: an HTTP endpoint that is not an operation of the API's document. */
function answersPages({ trigger, operationId }: FunctionRow): boolean {
  return trigger.kind === 'http' && operationId === undefined
}

/** Whether a function compares redirect URIs or their origins. Pages do, when they lead back to authorization requests. */
function usesRedirectPolicy(row: FunctionRow): boolean {
  return crossOriginOf(row) === 'registered' || answersPages(row)
}

function limitRate(fn: ServiceFunction, row: FunctionRow): void {
  const limit = rateLimitVariable(row)
  if (limit === undefined) return
  fn.setVariable('RATE_LIMITS', 'on')
  fn.setVariable('RATE_LIMIT', limit)
}

/** The functions of an area on AWS. Each row becomes a function with its trigger and exactly its permissions. */
export class FunctionsStack extends Stack {
  private readonly stage: StageSettings
  private readonly data: DataStack
  private readonly api: ApiStack
  private failedRuns: IQueue | undefined

  constructor(scope: Construct, id: string, { area, stage, data, api, codeDirectory, ...props }: FunctionsStackProps) {
    super(scope, id, { description: `Functions of the console: ${area}`, ...props })
    this.stage = stage
    this.data = data
    this.api = api
    const { releases } = api
    const rows: readonly FunctionRow[] = areas[area]
    for (const row of rows) {
      const staged = { ...row, isStopped: isStopped(stage, row) }
      const fn = new ServiceFunction(this, row.name, { ...staged, stage, codeDirectory: codeDirectory(row.name) })
      this.grant(fn, row)
      if (stage.rateLimits) limitRate(fn, row)
      if (stage.developmentRedirects && usesRedirectPolicy(row)) fn.setVariable('DEVELOPMENT_REDIRECTS', 'on')
      if (stage.automaticTax && row.secrets.includes('stripeSecretKey')) fn.setVariable('AUTOMATIC_TAX', 'on')
      if (stage.companySignIn && answersPages(row)) fn.setVariable('COMPANY_SIGN_IN', 'on')
      if (!stage.moneyMails && row.name === 'billing-mails') fn.setVariable('MONEY_MAILS', 'off')
      nameReleaseReader(fn, row, stage)
      if (stage.pwnedPasswords && row.setsPassword) fn.setVariable('PWNED_PASSWORDS_URL', PWNED_PASSWORDS_URL)
      releases.add(fn, staged, this.reach(fn, row))
    }
  }

  /** The queue for failed runs of the area's schedules. Created when first used: an area without schedules has no queue. */
  get deadLetters(): IQueue {
    if (this.failedRuns) return this.failedRuns
    const { queue } = new DeadLetters(this, 'DeadLetters', this.stage)
    this.output('DeadLettersUrl', queue.queueUrl, 'Where failed runs of schedules wait')
    this.failedRuns = queue
    return queue
  }

  private grant(fn: ServiceFunction, row: FunctionRow): void {
    const { kms, secrets, holdsPublicKey, mail, namesService, passkeys, trigger } = row
    const { accessTokens, apiUrl, edgeKey } = this.api
    this.data.tables.grantAccess(fn, row)
    if (kms.customer) this.data.keys.grantCustomer(fn, kms.customer)
    if (kms.totp) this.data.keys.grantTotp(fn, kms.totp)
    if (kms.webhook) this.data.keys.grantWebhook(fn, kms.webhook)
    if (kms.provider) this.data.keys.grantProvider(fn, kms.provider)
    if (kms.token) accessTokens.grantSign(fn, kms.token)
    if (carriesToken(row) || holdsPublicKey) accessTokens.grantVerify(fn)
    // An authorization response names its issuer (RFC 9207). The issuer's host is the relying party of passkeys.
    if (passkeys || (trigger.kind === 'http' && trigger.path.startsWith('/api/oauth/'))) accessTokens.nameIssuer(fn)
    if (mail || namesService || passkeys || answersPages(row)) {
      fn.setVariable('BRANDING', JSON.stringify(this.stage.branding))
    }
    if (edgeKey !== undefined && (isKnownByAddress(row) || carriesToken(row))) {
      fn.setVariable('EDGE_KEY', edgeKey)
      if (this.stage.edgeOnly) fn.setVariable('EDGE_ONLY', 'on')
    }
    if (secrets.length > 0) this.data.secrets.grantRead(fn, secrets)
    if (!mail) return
    this.data.mail.grantSend(fn)
    fn.setVariable('ACCOUNT_URL', apiUrl)
  }

  /** Connects a function to its trigger. Returns the alarms that count its 5xx answers. */
  private reach(fn: ServiceFunction, { trigger }: FunctionRow): IAlarm[] {
    switch (trigger.kind) {
      case 'http':
        this.api.routes.addRoute(fn, trigger)
        return [this.api.apiFaults]
      case 'unmatched':
        this.api.routes.addUnmatched(fn)
        return [this.api.apiFaults]
      case 'url':
        this.output('WebhookUrl', new WebhookUrl(fn, 'Url', fn).url, 'The endpoint to register at Stripe')
        return [
          releaseAlarm(fn, 'UrlFaults', 'The URL answers 5xx', urlFaults(fn.lambda.functionName), {
            threshold: 1,
            periods: 2,
            of: 5,
          }),
        ]
      case 'schedule':
        new ScheduledRuns(fn, 'Runs', fn, trigger.every, this.deadLetters, { enabled: !this.stage.maintenance })
        if (trigger.stream !== undefined) this.follow(fn, trigger.stream)
        return []
      default:
        return trigger satisfies never
    }
  }

  /** A table that was restored in place of `events` has no stream: then the runs of every minute do all. */
  private follow(fn: ServiceFunction, stream: StreamName): void {
    const { eventStreamArn: streamArn } = this.data.tables
    const { deadLetters } = this
    if (streamArn === undefined) return
    new StreamRuns(fn, 'Stream', fn, { stream, streamArn, deadLetters }, { enabled: !this.stage.maintenance })
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
