import { ApiMapping, CfnStage, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { type AccessLogMetric, accessLogNamespace } from '../alarms/metrics.ts'
import { createLog } from '../constructs/functions/functionLog.ts'
import { accessLogFormat } from '../constructs/http/accessLog.ts'
import type { ApiStack } from './apiStack.ts'

const billingCall = '$.routeKey = "POST /api/billing/*"'
/** Filters that count lines of the access log. */
const counted = {
  BillingCalls: `{ ${billingCall} }`,
  BillingFaults: `{ ${billingCall} && $.status = "5*" }`,
} as const satisfies Record<AccessLogMetric, string>

/** `api` must have all its routes. */
interface ApiStageStackProps extends StackProps {
  readonly stage: StageSettings
  readonly api: ApiStack
}

/**
 * Puts the routes in service: API Gateway's stage with throttles and the access log, and the API's own name. It is a separate stack because
 * the functions come first: API Gateway refuses the settings of a route if the route does not exist.
 */
export class ApiStageStack extends Stack {
  constructor(scope: Construct, id: string, { stage, api, ...props }: ApiStageStackProps) {
    super(scope, id, { description: 'Throttles and access log of the console’s HTTP API', ...props })
    const { domain, routes } = api
    const log = createLog(this, 'AccessLog', stage, `/aws/vendedlogs/${stage.name}-console-api`)
    for (const [metricName, pattern] of Object.entries(counted)) {
      const filterPattern = FilterPattern.literal(pattern)
      new MetricFilter(this, metricName, {
        logGroup: log,
        metricNamespace: accessLogNamespace(stage.name),
        metricName,
        filterPattern,
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
