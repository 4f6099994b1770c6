import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { routesByReaders } from '../../../../infra/data/routes.ts'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { type KnownPath, knownPaths } from '../../../../lib/http/request/knownPaths.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const rows: readonly FunctionRow[] = manifest
const stage = stageWith({}, 'prod')
const { service: stack } = synthesizeStage(stage)
const anything = z.record(z.string(), z.unknown())

/** The logical id of the `live` alias of a function. */
function live(name: string): string {
  const aliases = stack.resources('AWS::Lambda::Alias', z.object({ FunctionName: reference }))
  const alias = aliases.find(({ Properties }) => Properties.FunctionName === stack.lambda(name).id)
  return alias?.id ?? `no alias of ${name}`
}

describe('The routes', () => {
  const integrations = stack.resources(
    'AWS::ApiGatewayV2::Integration',
    z.object({ IntegrationUri: reference, PayloadFormatVersion: z.literal('2.0') }),
  )
  const found = stack.resources('AWS::ApiGatewayV2::Route', z.object({ RouteKey: z.string(), Target: reference }))

  // [asvs 4.1.4]
  it('are the manifest’s, and everything else goes to the unmatched function, each to the version in service', () => {
    const functionOf = (target: string) =>
      integrations.find(({ id }) => target === `integrations/${id}`)?.Properties.IntegrationUri
    const expected = rows.flatMap(({ name, trigger }) => {
      if (trigger.kind === 'http') {
        const methods = [
          trigger.method === 'GET' ? ['GET', 'HEAD'] : [trigger.method],
          trigger.alsoPost ? ['POST'] : [],
        ].flat()
        return methods.map((method) => [`${method} ${trigger.path}`, live(name)])
      }
      return trigger.kind === 'unmatched' ? [['$default', live(name)]] : []
    })
    expect(found.map(({ Properties }) => [Properties.RouteKey, functionOf(Properties.Target)])).toEqual(expected)
  })

  it('are known to the unmatched function: where they are not, npm run openapi writes them', () => {
    const known = Object.groupBy(knownPaths, ({ crossOrigin }) => crossOrigin)
    const methods = (paths: readonly KnownPath[] = []) =>
      Object.fromEntries(paths.map(({ template, methods }) => [template, methods]))
    expect({ any: methods(known.any), registered: methods(known.registered), none: methods(known.none) }).toEqual(
      routesByReaders,
    )
    expect(routesByReaders).toMatchObject({
      registered: {
        '/api/oauth/token': ['POST'],
        '/api/oauth/userinfo': ['GET', 'HEAD', 'POST'],
        '/api/users/me': ['GET', 'HEAD', 'PATCH', 'DELETE'],
        '/api/billing/entitlements': ['GET', 'HEAD'],
      },
      any: { '/.well-known/jwks.json': ['GET', 'HEAD'] },
      none: { '/api/oauth/authorize': ['GET', 'HEAD', 'POST'] },
    })
  })

  it('are throttled as the stage says, those that cost money or guesses more than the others', () => {
    const [apiStage] = stack.resources('AWS::ApiGatewayV2::Stage', anything)
    expect(apiStage?.Properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 })
    expect(apiStage?.Properties.RouteSettings).toEqual(
      Object.fromEntries(
        Object.entries(stage.routeThrottles).map(([route, { requestsPerSecond, burst }]) => [
          route,
          { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
        ]),
      ),
    )
  })
})

describe('The access log', () => {
  const [apiStage] = stack.resources(
    'AWS::ApiGatewayV2::Stage',
    z.object({ AccessLogSettings: z.object({ Format: z.string() }) }),
  )
  const fields = z.record(z.string(), z.string()).parse(JSON.parse(apiStage?.Properties.AccessLogSettings.Format ?? ''))

  // [asvs 16.3.1]
  it('has exactly these fields', () => {
    expect(Object.values(fields)).toEqual([
      '$context.requestId',
      '$context.requestTime',
      '$context.identity.sourceIp',
      '$context.protocol',
      '$context.httpMethod',
      '$context.routeKey',
      '$context.status',
      '$context.responseLength',
      '$context.responseLatency',
      '$context.integrationStatus',
      '$context.integrationLatency',
      '$context.integration.requestId',
      '$context.error.message',
    ])
  })

  // [asvs 14.2.1]
  it('has nothing that could hold a token, a query or a person', () => {
    expect(JSON.stringify(fields)).not.toMatch(/authoriz|queryString|header|body|context\.path|cookie|apiKey/i)
  })
})

describe('CORS', () => {
  // [asvs 3.4.2]
  it('is the functions’: API Gateway has none of its own, which would answer in their place', () => {
    const apis = stack.resources('AWS::ApiGatewayV2::Api', anything)
    expect(apis.map(({ Properties }) => 'CorsConfiguration' in Properties)).toEqual([false])
  })

  it('sends OPTIONS of every path to the unmatched function, which knows the paths', () => {
    const keys = stack.resources('AWS::ApiGatewayV2::Route', z.object({ RouteKey: z.string() }))
    const names = keys.map(({ Properties }) => Properties.RouteKey)
    expect(names.filter((key) => /^(OPTIONS|ANY) /.test(key))).toEqual([])
    expect(names).toContain('$default')
  })
})

describe('The webhook’s URL', () => {
  it('is open to anyone, with both permissions that takes, on the version in service', () => {
    const alias = live('stripe-webhook')
    const permissions = stack.resources(
      'AWS::Lambda::Permission',
      z.looseObject({ FunctionName: reference, Principal: z.string() }),
    )
    const open = permissions.filter(({ Properties }) => Properties.Principal === '*')
    expect(open.map(({ Properties }) => Properties)).toEqual([
      { Action: 'lambda:InvokeFunctionUrl', FunctionName: alias, FunctionUrlAuthType: 'NONE', Principal: '*' },
      { Action: 'lambda:InvokeFunction', FunctionName: alias, InvokedViaFunctionUrl: true, Principal: '*' },
    ])
  })

  it('is the only one, and an output', () => {
    const urls = stack.resources(
      'AWS::Lambda::Url',
      z.looseObject({ AuthType: z.literal('NONE'), Qualifier: z.literal('live') }),
    )
    expect(urls.map(({ id }) => `${id}.FunctionUrl`)).toEqual([stack.output('WebhookUrl')])
  })
})
