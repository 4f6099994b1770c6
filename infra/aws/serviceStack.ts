import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import { type FunctionRow, manifest } from '../manifest.ts'
import { AccessTokens } from './AccessTokens.ts'
import type { CodeDirectory } from './bundle.ts'
import { HttpRoutes } from './HttpRoutes.ts'
import { Keys } from './Keys.ts'
import { Secrets } from './Secrets.ts'
import { ServiceFunction } from './ServiceFunction.ts'
import { Tables, tableNames } from './Tables.ts'
import { WebhookUrl } from './WebhookUrl.ts'

/** What a deployment may choose. */
export interface ServiceStackProps extends StackProps {
  /** Where the bundle of each function is, `token-public-key` included. */
  readonly codeDirectory: CodeDirectory
  /** The `iss` of access tokens; the API's own URL where left out. */
  readonly issuer?: string
  /** The `aud` of access tokens. */
  readonly audience: string
}

/** Which callers carry an access token, that the function verifies itself. */
const carriesToken: Record<FunctionRow['caller'], boolean> = {
  anyone: false,
  client: false,
  user: true,
  member: true,
  'billing admin': true,
  stripe: false,
}

/** The service on AWS, drawn from the manifest: a row is a function, the way it is reached, and exactly what it may touch. */
export class ServiceStack extends Stack {
  private readonly tables: Tables
  private readonly keys: Keys
  private readonly secrets: Secrets
  private readonly routes: HttpRoutes
  private readonly accessTokens: AccessTokens

  constructor(scope: Construct, id: string, { codeDirectory, issuer, audience, ...props }: ServiceStackProps) {
    super(scope, id, { description: 'Accounts and billing of the console', ...props })
    this.tables = new Tables(this, 'Tables')
    this.keys = new Keys(this, 'Keys')
    this.secrets = new Secrets(this, 'Secrets')
    this.routes = new HttpRoutes(this, 'Routes')
    this.accessTokens = new AccessTokens(this, 'AccessTokens', {
      keys: this.keys,
      issuer: issuer ?? this.routes.url,
      audience,
      codeDirectory: codeDirectory('token-public-key'),
    })
    for (const row of manifest) {
      const fn = new ServiceFunction(this, row.name, { ...row, codeDirectory: codeDirectory(row.name) })
      this.grant(fn, row)
      this.reach(fn, row)
    }
    this.output('ApiUrl', this.routes.url, 'The base URL of the API, for the console')
    for (const [name, table] of Object.entries(this.tables.byName)) {
      this.output(`${name}Table`, table.tableName, `The name of the table ${name}`)
    }
    for (const [name, arn] of Object.entries(this.secrets.arns)) {
      this.output(`${name}Arn`, arn, 'Give it its value with `aws secretsmanager put-secret-value`')
    }
  }

  private grant(fn: ServiceFunction, row: FunctionRow): void {
    const { tables, kms, secrets, caller } = row
    for (const name of tableNames) {
      const actions = tables[name]
      if (actions) this.tables.grantAccess(fn, name, actions)
    }
    if (kms.customer) this.keys.grantCustomer(fn, kms.customer)
    if (kms.token) this.accessTokens.grantSign(fn, kms.token)
    if (carriesToken[caller]) this.accessTokens.grantVerify(fn)
    if (secrets.length > 0) this.secrets.grantRead(fn, secrets)
  }

  private reach(fn: ServiceFunction, { trigger }: FunctionRow): void {
    switch (trigger.kind) {
      case 'http':
        this.routes.addRoute(fn, trigger)
        break
      case 'unmatched':
        this.routes.addUnmatched(fn)
        break
      case 'url':
        this.output('WebhookUrl', new WebhookUrl(fn, 'Url', fn).url, 'The endpoint to register at Stripe')
        break
      default:
        trigger satisfies never
    }
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
