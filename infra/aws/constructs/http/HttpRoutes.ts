import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Construct } from 'constructs'
import { methodsOf } from '../../../data/routes.ts'
import type { StageSettings } from '../../../data/stages.ts'
import type { Trigger } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'

type HttpTrigger = Extract<Trigger, { kind: 'http' }>
type Throttle = StageSettings['routeThrottles'][string]

/**
 * The HTTP API: a route per `http` row, and a default route for everything else. Each route may invoke only its own function, and is in the
 * stack of that function. Do not set CORS here: if you do, API Gateway answers preflights itself and replaces the functions' headers.
 */
export class HttpRoutes extends Construct {
  readonly api: HttpApi
  /** Throttles of routes by route key, as API Gateway's stage takes them. */
  readonly settings: Record<string, object> = {}
  /** The routes of `settings`. */
  readonly throttled: HttpRoute[] = []
  private readonly throttles: StageSettings['routeThrottles']

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.throttles = stage.routeThrottles
    this.api = new HttpApi(this, 'Api', {
      apiName: `${stage.name}-console`,
      description: 'Accounts and billing of the console',
      createDefaultStage: false,
      // The firewall calls the API by its name. Requests to API Gateway's own address would bypass it.
      ...(stage.waf && stage.domain && { disableExecuteApiEndpoint: true }),
    })
  }

  /** The API's URL, without a trailing slash. */
  get url(): string {
    return this.api.apiEndpoint
  }

  /** Routes a method and path to the function; HEAD too if the method is GET. */
  addRoute(fn: ServiceFunction, trigger: HttpTrigger): void {
    const integration = new HttpLambdaIntegration('Integration', fn.live)
    for (const method of methodsOf(trigger)) {
      // HEAD has the throttle of its GET, or callers could bypass it.
      const throttle = this.throttles[`${trigger.method} ${trigger.path}`]
      this.route(fn, HttpRouteKey.with(trigger.path, HttpMethod[method]), integration, throttle)
    }
  }

  /** Routes requests to the function when no other route matches, including preflights. */
  addUnmatched(fn: ServiceFunction): void {
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
