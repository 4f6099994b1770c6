import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { apiFaults } from '../alarms/metrics.ts'
import type { CodeDirectory } from '../bundle/bundle.ts'
import { AccessTokens } from '../constructs/data/AccessTokens.ts'
import { publicKeyReader, releaseChecker } from '../constructs/functionNames.ts'
import { Releases, releaseAlarm } from '../constructs/functions/Releases.ts'
import { ApiDomain } from '../constructs/http/ApiDomain.ts'
import { Firewall } from '../constructs/http/Firewall.ts'
import { HttpRoutes } from '../constructs/http/HttpRoutes.ts'
import type { DataStack } from './dataStack.ts'

interface ApiStackProps extends StackProps {
  readonly stage: StageSettings
  readonly data: DataStack
  /** The bundle of each function, including `token-public-key` and `release-check`. */
  readonly codeDirectory: CodeDirectory
}

/** Shared by all functions: the HTTP API with its address, the issuer of tokens, and the release of versions. */
export class ApiStack extends Stack {
  readonly routes: HttpRoutes
  /** The URL for callers of the API, without a trailing slash. */
  readonly apiUrl: string
  /** The API's own domain name; undefined if the stage has none. If there is a firewall, only the firewall calls it. */
  readonly domain: ApiDomain | undefined
  /** Undefined if the stage has none. */
  readonly firewall: Firewall | undefined
  readonly accessTokens: AccessTokens
  readonly releases: Releases
  /** Takes releases back when the API answers 5xx. */
  readonly apiFaults: IAlarm

  constructor(scope: Construct, id: string, { stage, data, codeDirectory, ...props }: ApiStackProps) {
    super(scope, id, { description: 'HTTP API of the console', ...props })
    this.routes = new HttpRoutes(this, 'Routes', stage)
    this.apiFaults = releaseAlarm(this, 'ApiFaults', 'The API answers 5xx', apiFaults(this.routes.api), {
      threshold: 5,
    })
    this.domain = stage.domain ? new ApiDomain(this, 'Domain', stage.domain) : undefined
    this.firewall = stage.waf
      ? new Firewall(this, 'Firewall', { stage, routes: this.routes, apiDomain: this.domain })
      : undefined
    this.apiUrl = this.frontDoor(stage)
    this.accessTokens = new AccessTokens(this, 'AccessTokens', {
      stage,
      keys: data.keys,
      issuer: stage.issuer ?? this.apiUrl,
      codeDirectory: codeDirectory(publicKeyReader),
    })
    this.releases = new Releases(this, 'Releases', {
      stage,
      codeDirectory: codeDirectory(releaseChecker),
      edgeKey: this.edgeKey,
    })
    this.output('ApiUrl', this.apiUrl, 'The base URL of the API, for the console')
  }

  /** Proves that a request came through the firewall; undefined if the stage has no firewall. */
  get edgeKey(): string | undefined {
    return this.firewall?.key
  }

  /** The URL that callers use: the firewall, the API's own name, or API Gateway's address. */
  private frontDoor({ domain }: StageSettings): string {
    if (!domain && !this.firewall) return this.routes.url
    const target = this.firewall?.domainName ?? this.domain?.target
    if (!domain) return `https://${target}`
    this.output('DnsTarget', `${target}`, `Where DNS points ${domain.name}, as an alias`)
    return `https://${domain.name}`
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
