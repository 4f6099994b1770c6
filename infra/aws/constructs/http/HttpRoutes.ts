import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Construct } from 'constructs'
import { methodsOf, routesByReaders } from '../../../data/routes.ts'
import type { StageSettings } from '../../../data/stages.ts'
import type { Trigger } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'

type HttpTrigger = Extract<Trigger, { kind: 'http' }>
type Throttle = StageSettings['routeThrottles'][string]

/**
 * The HTTP API: one route for each `http` row, and one for everything else. Each route may invoke its own function only, and is in the
 * stack of that function. It has no CORS settings of its own: with them API Gateway would answer preflights itself, and replace the
 * functions' headers.
 */
export class HttpRoutes extends Construct {
  readonly api: HttpApi
  /** Throttles of routes by route key, as API Gateway's stage takes them. */
  readonly settings: Record<string, object> = {}
  /** The routes that `settings` is of. */
  readonly throttled: HttpRoute[] = []
  private readonly throttles: StageSettings['routeThrottles']

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.throttles = stage.routeThrottles
    this.api = new HttpApi(this, 'Api', {
      apiName: `${stage.name}-console`,
      description: 'Accounts and billing of the console',
      createDefaultStage: false,
      // The firewall calls the API by its name: API Gateway's own would be a way around it.
      ...(stage.waf && stage.domain && { disableExecuteApiEndpoint: true }),
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
      this.route(fn, HttpRouteKey.with(trigger.path, HttpMethod[method]), integration, throttle)
    }
  }

  /** Sends what no other route matches to the function, preflights among it, and sets the variable with all routes. */
  addUnmatched(fn: ServiceFunction): void {
    fn.setVariable('ROUTES', JSON.stringify(routesByReaders))
    const integration = new HttpLambdaIntegration('Integration', fn.live)
    this.route(fn, HttpRouteKey.DEFAULT, integration, this.throttles[HttpRouteKey.DEFAULT.key])
  }

  private route(
    fn: ServiceFunction,
    routeKey: HttpRouteKey,
    integration: HttpLambdaIntegration,
    throttle?: Throttle,
  ): void {
    const route = new HttpRoute(fn, routeKey.key, { httpApi: this.api, routeKey, integration })
    acknowledge(route, {
      'AwsSolutions-APIG4':
        'Functions verify the tokens themselves, and whether their grants are live, which API Gateway’s own authorizer cannot',
    })
    if (throttle === undefined) return
    this.settings[routeKey.key] = {
      ThrottlingRateLimit: throttle.requestsPerSecond,
      ThrottlingBurstLimit: throttle.burst,
    }
    this.throttled.push(route)
  }
}
