import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Construct } from 'constructs'
import { routes } from '../data/routes.ts'
import type { Trigger } from '../manifest.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

type HttpTrigger = Extract<Trigger, { kind: 'http' }>

/** The HTTP API: one route for each `http` row, and one for everything else. Each route may invoke its own function only. */
export class HttpRoutes extends Construct {
  /** Where the API is reached, without a trailing slash. */
  readonly url: string
  private readonly api: HttpApi

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.api = new HttpApi(this, 'Api', { apiName: 'console', description: 'Accounts and billing of the console' })
    this.url = this.api.apiEndpoint
  }

  /** Sends one method of one path to the function. */
  addRoute(fn: ServiceFunction, { method, path }: HttpTrigger): void {
    this.route(fn, HttpRouteKey.with(path, HttpMethod[method]))
  }

  /** Sends what no other route matches to the function, and tells it which routes there are. */
  addUnmatched(fn: ServiceFunction): void {
    fn.setVariable('ROUTES', JSON.stringify(routes))
    this.route(fn, HttpRouteKey.DEFAULT)
  }

  private route(fn: ServiceFunction, routeKey: HttpRouteKey): void {
    const integration = new HttpLambdaIntegration('Integration', fn.lambda)
    new HttpRoute(this, routeKey.key, { httpApi: this.api, routeKey, integration })
  }
}
