import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import { rateLimitVariable } from '../data/rateLimits.ts'
import type { StageSettings } from '../data/stages.ts'
import { type FunctionRow, manifest } from '../manifest.ts'
import { AccessTokens } from './AccessTokens.ts'
import { ApiDomain } from './ApiDomain.ts'
import type { CodeDirectory } from './bundle.ts'
import { DeadLetters } from './DeadLetters.ts'
import type { DataStack } from './dataStack.ts'
import { Firewall } from './Firewall.ts'
import { HttpRoutes } from './HttpRoutes.ts'
import { publicKeyReader } from './Keys.ts'
import { apiFaults, urlFaults } from './metrics.ts'
import { Releases, releaseAlarm } from './Releases.ts'
import { ScheduledRuns } from './ScheduledRuns.ts'
import { ServiceFunction } from './ServiceFunction.ts'
import { WebhookUrl } from './WebhookUrl.ts'

/** What the service is built from. */
export interface ServiceStackProps extends StackProps {
  readonly stage: StageSettings
  readonly data: DataStack
  /** Where the bundle of each function is, `token-public-key` included. */
  readonly codeDirectory: CodeDirectory
}

/** Which callers carry an access token, that the function verifies itself. */
const carriesToken: Record<FunctionRow['caller'], boolean> = {
  anyone: false,
  client: false,
  user: true,
  member: true,
  'billing admin': true,
  owner: true,
  stripe: false,
  schedule: false,
}

function limitRate(fn: ServiceFunction, row: FunctionRow): void {
  const limit = rateLimitVariable(row)
  if (limit === undefined) return
  fn.setVariable('RATE_LIMITS', 'on')
  fn.setVariable('RATE_LIMIT', limit)
}

/** The service on AWS, drawn from the manifest: a row is a function, the way it is reached, and exactly what it may touch. */
export class ServiceStack extends Stack {
  readonly routes: HttpRoutes
  readonly deadLetters: DeadLetters
  private readonly data: DataStack
  private readonly accessTokens: AccessTokens
  private readonly apiUrl: string
  private readonly apiFaults: IAlarm

  constructor(scope: Construct, id: string, { stage, data, codeDirectory, ...props }: ServiceStackProps) {
    super(scope, id, { description: 'Accounts and billing of the console', ...props })
    this.data = data
    this.routes = new HttpRoutes(this, 'Routes', stage)
    this.deadLetters = new DeadLetters(this, 'DeadLetters', stage)
    this.apiFaults = releaseAlarm(this, 'ApiFaults', 'The API answers 5xx', apiFaults(this.routes.api), 5)
    this.apiUrl = this.frontDoor(stage)
    this.accessTokens = new AccessTokens(this, 'AccessTokens', {
      stage,
      keys: data.keys,
      issuer: stage.issuer ?? this.apiUrl,
      codeDirectory: codeDirectory(publicKeyReader),
    })
    const releases = new Releases(this, 'Releases', stage)
    for (const row of manifest) {
      const fn = new ServiceFunction(this, row.name, { ...row, stage, codeDirectory: codeDirectory(row.name) })
      this.grant(fn, row)
      if (stage.rateLimits) limitRate(fn, row)
      if (stage.automaticTax && row.secrets.includes('stripeSecretKey')) fn.setVariable('AUTOMATIC_TAX', 'on')
      releases.add(fn, this.reach(fn, row))
    }
    this.output('ApiUrl', this.apiUrl, 'The base URL of the API, for the console')
    this.output('DeadLettersUrl', this.deadLetters.queue.queueUrl, 'Where failed runs of schedules wait')
  }

  /** What callers of the API meet first; answers its address. */
  private frontDoor(stage: StageSettings): string {
    const { domain, waf } = stage
    if (!domain && !waf) return this.routes.url
    const target = waf
      ? new Firewall(this, 'Firewall', stage, this.routes).domainName
      : domain && new ApiDomain(this, 'Domain', domain, this.routes).target
    if (!domain) return `https://${target}`
    this.output('DnsTarget', `${target}`, `Where DNS points ${domain.name}, as an alias`)
    return `https://${domain.name}`
  }

  private grant(fn: ServiceFunction, row: FunctionRow): void {
    const { kms, secrets, caller, holdsPublicKey, mail, trigger } = row
    this.data.tables.grantAccess(fn, row)
    if (kms.customer) this.data.keys.grantCustomer(fn, kms.customer)
    if (kms.token) this.accessTokens.grantSign(fn, kms.token)
    if (carriesToken[caller] || holdsPublicKey) this.accessTokens.grantVerify(fn)
    // An authorization response names who gives it (RFC 9207).
    if (trigger.kind === 'http' && trigger.path.startsWith('/api/oauth/')) this.accessTokens.nameIssuer(fn)
    if (secrets.length > 0) this.data.secrets.grantRead(fn, secrets)
    if (!mail) return
    this.data.mail.grantSend(fn)
    fn.setVariable('ACCOUNT_URL', this.apiUrl)
  }

  /** Makes a function reachable; answers the alarms that speak of its answers. */
  private reach(fn: ServiceFunction, { trigger }: FunctionRow): IAlarm[] {
    switch (trigger.kind) {
      case 'http':
        this.routes.addRoute(fn, trigger)
        return [this.apiFaults]
      case 'unmatched':
        this.routes.addUnmatched(fn)
        return [this.apiFaults]
      case 'url':
        this.output('WebhookUrl', new WebhookUrl(fn, 'Url', fn).url, 'The endpoint to register at Stripe')
        return [releaseAlarm(fn, 'UrlFaults', 'The URL answers 5xx', urlFaults(fn.lambda.functionName), 3)]
      case 'schedule':
        new ScheduledRuns(fn, 'Runs', fn, trigger.every, this.deadLetters.queue)
        return []
      default:
        return trigger satisfies never
    }
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
