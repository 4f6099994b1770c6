import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { ApiMapping, CfnStage, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { type App, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import type { Area } from '../../manifest.ts'
import { accessLogCounts, accessLogNamespace } from '../alarms/metrics.ts'
import type { CodeDirectory } from '../bundle/bundle.ts'
import { ConsoleWebsite } from '../constructs/console/ConsoleWebsite.ts'
import { createLog, withAddresses } from '../constructs/functions/functionLog.ts'
import { ApiStack } from './apiStack.ts'
import { DataStack } from './dataStack.ts'
import { FunctionsStack } from './functionsStack.ts'
import { ObservabilityStack } from './observabilityStack.ts'
import { stackNames } from './stackNames.ts'

/** All stacks of a stage: data, API, the functions of each area, the API's stage, observability, and the console if the stage hosts it. */
export function consoleStacks(app: App, stage: StageSettings, codeDirectory: CodeDirectory) {
  const names = stackNames(stage)
  const { account, region } = stage
  const props = {
    env: { ...(account && { account }), ...(region && { region }) },
    tags: { application: 'console', stage: stage.name },
    // For every stack: if a stack is deleted, the service is down, and its URLs change when it is created again.
    terminationProtection: stage.removal === 'retain',
  }
  const data = new DataStack(app, names.data, stage, props)
  const api = new ApiStack(app, names.api, { ...props, stage, data, codeDirectory })
  const functionsOf = (area: Area) =>
    new FunctionsStack(app, names[area], { ...props, area, stage, data, api, codeDirectory })
  const functions = {
    oauth: functionsOf('oauth'),
    accounts: functionsOf('accounts'),
    billing: functionsOf('billing'),
    organizations: functionsOf('organizations'),
    company: functionsOf('company'),
    webhooks: functionsOf('webhooks'),
    openapi: functionsOf('openapi'),
  } satisfies Record<Area, FunctionsStack>
  const apiStage = new ApiStageStack(app, names.apiStage, { ...props, stage, api })
  // The queue is in the stack of the schedules, because its policy names their rules.
  const { deadLetters } = functions.billing
  const observability = new ObservabilityStack(app, names.observability, { ...props, stage, data, api, deadLetters })
  const { console } = stage
  const consoleWeb = console && new ConsoleWebStack(app, `${stage.name}-console-web`, { ...props, stage, console, api })
  return { data, api, ...functions, apiStage, observability, ...(consoleWeb && { consoleWeb }) }
}

/** `api` must have all its routes. */
interface ApiStageStackProps extends StackProps {
  readonly stage: StageSettings
  readonly api: ApiStack
}

/**
 * Puts the routes in service: API Gateway's stage with throttles and the access log, and the API's own name. It is a separate stack because
 * the functions come first: API Gateway refuses the settings of a route if the route does not exist.
 */
class ApiStageStack extends Stack {
  constructor(scope: Construct, id: string, { stage, api, ...props }: ApiStageStackProps) {
    super(scope, id, { description: 'Throttles and access log of the console’s HTTP API', ...props })
    const { domain, routes } = api
    const log = createLog(this, 'AccessLog', withAddresses(stage), `/aws/vendedlogs/${stage.name}-console-api`)
    for (const [metricName, pattern] of Object.entries(accessLogCounts)) {
      const filterPattern = FilterPattern.literal(pattern)
      new MetricFilter(this, metricName, {
        logGroup: log,
        metricNamespace: accessLogNamespace(stage.name),
        metricName,
        filterPattern,
        // A period with lines, none of which counts, is 0 and not unknown.
        defaultValue: 0,
      })
    }
    const apiStage = new HttpStage(this, 'Stage', {
      httpApi: routes.api,
      autoDeploy: true,
      throttle: { rateLimit: stage.throttle.requestsPerSecond, burstLimit: stage.throttle.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(log), format: accessLogFormat },
    })
    const { defaultChild } = apiStage.node
    if (defaultChild instanceof CfnStage) defaultChild.routeSettings = routes.settings
    apiStage.node.addDependency(...routes.throttled)
    if (domain) new ApiMapping(this, 'Mapping', { api: routes.api, domainName: domain.domainName, stage: apiStage })
  }
}

interface ConsoleWebStackProps extends StackProps {
  readonly stage: StageSettings
  readonly console: NonNullable<StageSettings['console']>
  readonly api: ApiStack
}

/** Stripe allows no other copy. */
const stripeScript = 'https://js.stripe.com/endive/stripe.js'

/** The console's files and address. If it is lost, `npm run console:publish` uploads the files again. */
class ConsoleWebStack extends Stack {
  constructor(scope: Construct, id: string, { stage, console, api, ...props }: ConsoleWebStackProps) {
    super(scope, id, { description: 'Files of the console, and CloudFront in front of them', ...props })
    const { domain, clientId, stripePublishableKey } = console
    const { apiUrl } = api
    const issuer = stage.issuer ?? apiUrl
    const website = new ConsoleWebsite(this, 'Website', { name: `${stage.name}-console-web`, domain, apiUrl, issuer })
    const config = {
      ...{ issuer, client_id: clientId, api_base_url: apiUrl },
      ...{ stripe_publishable_key: stripePublishableKey, stripe_js_url: stripeScript },
    }
    this.output('ConsoleUrl', website.url, 'Where people find the console')
    this.output('ConsoleRedirectUri', `${website.url}/callback`, `The redirect URI of the client ${clientId}`)
    this.output('ConsoleBucket', website.bucketName, 'Where `npm run console:publish` puts the files')
    this.output('ConsoleConfig', this.toJsonString(config), 'The content of config.json')
    if (domain) {
      this.output('ConsoleDnsTarget', website.domainName, `Where DNS points ${domain.name}, as an alias`)
    }
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}

/**
 * A line of the API's access log, as JSON: field -> API Gateway's variable. It has no query string, header or body, and the route in place of
 * the path, so that no token and no personal id can get in.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  protocol: '$context.protocol',
  httpMethod: '$context.httpMethod',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationRequestId: '$context.integration.requestId',
  errorMessage: '$context.error.message',
} as const

/** `accessLogFields` as the API's stage takes it. */
const accessLogFormat = AccessLogFormat.custom(JSON.stringify(accessLogFields))
