import {
  CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { methodsOf, routes } from '../data/routes.ts'
import type { StageSettings } from '../data/stages.ts'
import type { Trigger } from '../manifest.ts'
import { accessLogFormat } from './accessLog.ts'
import { acknowledge } from './acknowledge.ts'
import { createLog } from './functionLog.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

type HttpTrigger = Extract<Trigger, { kind: 'http' }>
type Throttle = StageSettings['routeThrottles'][string]

/** The HTTP API: one route for each `http` row, and one for everything else. Each route may invoke its own function only. */
export class HttpRoutes extends Construct {
  readonly api: HttpApi
  readonly apiStage: HttpStage
  private readonly throttles: StageSettings['routeThrottles']
  private readonly routeSettings: Record<string, object> = {}

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.throttles = stage.routeThrottles
    this.api = new HttpApi(this, 'Api', {
      apiName: `${stage.name}-console`,
      description: 'Accounts and billing of the console',
      createDefaultStage: false,
      ...(stage.corsOrigins.length > 0 && { corsPreflight: cors(stage.corsOrigins) }),
    })
    const log = createLog(this, 'AccessLog', stage, `/aws/vendedlogs/${stage.name}-console-api`)
    this.apiStage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: stage.throttle.requestsPerSecond, burstLimit: stage.throttle.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(log), format: accessLogFormat },
    })
    acknowledge(this, {
      'AwsSolutions-APIG4': 'Functions verify the ES256 tokens themselves: API Gateway’s own authorizer knows RSA only',
    })
  }

  /** Where the API is reached, without a trailing slash. */
  get url(): string {
    return this.api.apiEndpoint
  }

  /** Sends one method of one path to the function, with GET also HEAD. */
  addRoute(fn: ServiceFunction, trigger: HttpTrigger): void {
    const integration = new HttpLambdaIntegration('Integration', fn.live)
    for (const method of methodsOf(trigger)) {
      // A HEAD that was not throttled as its GET would be a way around it.
      const throttle = this.throttles[`${trigger.method} ${trigger.path}`]
      this.route(HttpRouteKey.with(trigger.path, HttpMethod[method]), integration, throttle)
    }
  }

  /** Sends what no other route matches to the function, and sets the variable with all routes. */
  addUnmatched(fn: ServiceFunction): void {
    fn.setVariable('ROUTES', JSON.stringify(routes))
    const integration = new HttpLambdaIntegration('Integration', fn.live)
    this.route(HttpRouteKey.DEFAULT, integration, this.throttles[HttpRouteKey.DEFAULT.key])
  }

  private route(routeKey: HttpRouteKey, integration: HttpLambdaIntegration, throttle: Throttle | undefined): void {
    const route = new HttpRoute(this, routeKey.key, { httpApi: this.api, routeKey, integration })
    const { defaultChild } = this.apiStage.node
    if (throttle === undefined || !(defaultChild instanceof CfnStage)) return
    this.routeSettings[routeKey.key] = {
      ThrottlingRateLimit: throttle.requestsPerSecond,
      ThrottlingBurstLimit: throttle.burst,
    }
    defaultChild.routeSettings = this.routeSettings
    // The settings of a route are refused before there is that route.
    this.apiStage.node.addDependency(route)
  }
}

function cors(origins: readonly string[]): CorsPreflightOptions {
  const methods = new Set(Object.values(routes).flat())
  return {
    allowOrigins: [...origins],
    allowMethods: Object.values(CorsHttpMethod).filter((method) => methods.has(method)),
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
    exposeHeaders: ['etag', 'location', 'retry-after', 'x-request-id'],
    maxAge: Duration.hours(1),
  }
}
