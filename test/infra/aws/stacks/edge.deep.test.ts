import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { managedRules } from '../../../../infra/aws/constructs/http/firewallRules.ts'
import { carriesToken, type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { errorAnswers } from '../../../../lib/http/answer/errorAnswers.ts'
import { errorBody } from '../../../../lib/http/answer/errorBody.ts'
import { edgeHeaders } from '../../../../lib/http/security/clientNetwork.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'

const rows: readonly FunctionRow[] = manifest
const stage = stageWith({}, 'prod')
const { service: stack } = synthesizeStage(stage)
const anything = z.record(z.string(), z.unknown())

describe('Throttles of a route', () => {
  it('are found by paths with periods and parameters too, and hold for HEAD where they do for GET', () => {
    const throttle = { requestsPerSecond: 5, burst: 6 }
    const keys = ['GET /.well-known/jwks.json', 'PATCH /api/organizations/{organization_id}']
    const routeThrottles = Object.fromEntries(keys.map((key) => [key, throttle]))
    const { service } = synthesizeStage(stageWith({ routeThrottles }))
    const [apiStage] = service.resources('AWS::ApiGatewayV2::Stage', anything)
    const setting = { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 6 }
    expect(apiStage?.Properties.RouteSettings).toEqual(
      Object.fromEntries([...keys, 'HEAD /.well-known/jwks.json'].map((key) => [key, setting])),
    )
  })
})

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }

describe('A name of one’s own', () => {
  const { service } = synthesizeStage(stageWith({ region: 'us-east-1', domain }))

  // [asvs 12.2.2]
  it('is the API’s address and the issuer of its tokens', () => {
    expect(service.output('ApiUrl')).toBe('https://api.example.com')
    expect(service.lambda('users-me').Environment?.Variables.TOKEN_ISSUER).toBe('https://api.example.com')
    expect(service.resources('AWS::ApiGatewayV2::ApiMapping', anything)).toHaveLength(1)
    expect(service.output('DnsTarget')).toMatch(/RegionalDomainName$/)
  })

  it('does not keep a stage from naming another issuer and audience', () => {
    const chosen = synthesizeStage(
      stageWith({ region: 'us-east-1', domain, issuer: 'https://id.example.com', audience: 'cli' }),
    ).service
    expect(chosen.lambda('users-me').Environment?.Variables).toMatchObject({
      TOKEN_ISSUER: 'https://id.example.com',
      TOKEN_AUDIENCE: 'cli',
    })
  })
})

describe('The firewall', () => {
  const { service } = synthesizeStage(stageWith({ waf: true, region: 'us-east-1', domain }))

  const named = z.object({ Name: z.string() })
  const rule = z.looseObject({
    Name: z.string(),
    Action: z.object({ Block: z.object({ CustomResponse: z.looseObject({}) }) }).optional(),
    Statement: z.object({
      RateBasedStatement: z.looseObject({ Limit: z.number() }).optional(),
      ManagedRuleGroupStatement: z
        .object({
          RuleActionOverrides: z
            .array(named.extend({ ActionToUse: z.strictObject({ Count: z.strictObject({}) }) }))
            .optional(),
        })
        .optional(),
    }),
  })
  const [acl] = service.resources(
    'AWS::WAFv2::WebACL',
    z.looseObject({
      Scope: z.string(),
      Rules: z.array(rule),
      CustomResponseBodies: z.record(z.string(), z.object({ ContentType: z.string(), Content: z.string() })),
    }),
  )
  const aclRules = acl?.Properties.Rules ?? []
  const rates = aclRules.filter(({ Action }) => Action)

  it('limits each address, and asks the rules that AWS keeps', () => {
    expect(acl?.Properties.Scope).toBe('CLOUDFRONT')
    expect(aclRules.map(({ Name }) => Name)).toEqual([
      'RatePerAddress',
      'RateOfForms',
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
    ])
  })

  it('answers who is over a limit as the API does, with when to try again', () => {
    expect(rates).toHaveLength(2)
    for (const { Action } of rates) {
      expect(Action?.Block.CustomResponse).toEqual({
        ResponseCode: 429,
        CustomResponseBodyKey: 'RateLimited',
        ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
      })
    }
    const { Content = '', ContentType } = acl?.Properties.CustomResponseBodies.RateLimited ?? {}
    expect(ContentType).toBe('APPLICATION_JSON')
    const { detail } = errorAnswers.rate_limited
    expect(errorBody.parse(JSON.parse(Content))).toEqual({ detail, code: 'rate_limited', request_id: '' })
  })

  it('leaves a server that calls for 3,000 users room, and guessers at a form little', () => {
    const [everything, forms] = rates.map(({ Statement }) => Statement.RateBasedStatement)
    // In five minutes each user refreshes a token in three, and opens two pages of three calls.
    expect(everything?.Limit).toBeGreaterThanOrEqual(3000 * (1 / 3 + 2 * 3))
    expect(forms).toMatchObject({ Limit: 1000, AggregateKeyType: 'IP' })
    const scope = JSON.stringify(forms)
    // A caller with a token is counted as a user.
    const guessed = rows.flatMap((row) =>
      row.trigger.kind === 'http' &&
      row.trigger.method === 'POST' &&
      (row.mail || row.setsPassword) &&
      !carriesToken(row)
        ? [row.trigger.path]
        : [],
    )
    expect(guessed).toEqual(expect.arrayContaining(['/api/oauth/authorize', '/api/account/security']))
    for (const path of guessed) {
      expect(scope).toContain(path.startsWith('/api/auth/') ? '"/api/auth/"' : `"${path}"`)
    }
    expect(scope).not.toContain('/api/oauth/token')
  })

  it.each([
    ['NoUserAgent_HEADER', 'a server that names no User-Agent'],
    ['SizeRestrictions_BODY', 'a body of 32 KiB'],
    ['SizeRestrictions_QUERYSTRING', 'an authorization request of more than 2 KiB'],
    ['GenericRFI_QUERYARGUMENTS', 'a redirect URI of 127.0.0.1 in a query'],
    ['GenericRFI_BODY', 'a redirect URI of 127.0.0.1 in a token request'],
    ['GenericLFI_BODY', 'a password with ../'],
    ['CrossSiteScripting_BODY', 'a password with a tag'],
  ])('counts %s, and lets in %s', (name) => {
    const counted = aclRules.flatMap(({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [])
    expect(counted.map(({ Name }) => Name)).toContain(name)
    expect(
      Object.values(managedRules)
        .flatMap((reasons) => reasons[name] ?? [])
        .join().length,
    ).toBeGreaterThan(30)
  })

  it('inspects whole bodies', () => {
    expect(acl?.Properties).toMatchObject({
      AssociationConfig: { RequestBody: { CLOUDFRONT: { DefaultSizeInspectionLimit: 'KB_32' } } },
    })
  })

  it('never answers one caller with another’s error', () => {
    const [distribution] = service.resources(
      'AWS::CloudFront::Distribution',
      z.object({ DistributionConfig: z.looseObject({ CustomErrorResponses: z.array(z.looseObject({})) }) }),
    )
    expect(distribution?.Properties.DistributionConfig.CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    )
  })

  it('is the only way in where the API has a name of its own, by which it calls', () => {
    const endpointOf = (of: typeof service) =>
      of.resources('AWS::ApiGatewayV2::Api', anything).map(({ Properties }) => Properties.DisableExecuteApiEndpoint)
    expect(endpointOf(service)).toEqual([true])
    const [distribution] = service.resources('AWS::CloudFront::Distribution', anything)
    const [name] = service.resources('AWS::ApiGatewayV2::DomainName', anything)
    expect(JSON.stringify(distribution?.Properties)).toContain(`"${name?.id}","RegionalDomainName"`)
    expect(service.resources('AWS::ApiGatewayV2::ApiMapping', anything)).toHaveLength(1)
    expect(service.output('DnsTarget')).toMatch(/^FirewallDistribution/)
    const unnamed = synthesizeStage(stageWith({ waf: true, region: 'us-east-1' })).service
    expect(endpointOf(unnamed)).toEqual([undefined])
    expect(JSON.stringify(unnamed.resources('AWS::CloudFront::Distribution', anything))).toContain(
      // AllViewerExceptHostHeader: API Gateway's own address takes no other Host.
      'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    )
  })

  // [asvs 4.1.2 12.1.1 12.2.1 14.2.2]
  it('answers under the API’s name, caching nothing, over TLS only', () => {
    const [distribution] = service.resources('AWS::CloudFront::Distribution', anything)
    expect(distribution?.Properties).toMatchObject({
      DistributionConfig: {
        Aliases: ['api.example.com'],
        DefaultCacheBehavior: {
          // CachingDisabled.
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          ViewerProtocolPolicy: 'https-only',
        },
      },
    })
  })

  // [asvs 4.1.3 15.3.4]
  it('names the viewer of each request, in place of what the viewer sent, and proves it by a key that the functions have', () => {
    const [fn] = service.resources('AWS::CloudFront::Function', z.object({ FunctionCode: z.string() }))
    const accept = { value: '*/*' }
    const pass = (code: string | undefined, headers: object) =>
      runInNewContext(`${code}; handler(event)`, {
        event: { request: { headers: { ...headers, accept } }, viewer: { ip: '203.0.113.7' } },
      })
    const forged = { [edgeHeaders.viewer]: { value: '192.0.2.1' }, [edgeHeaders.country]: { value: 'FR' } }
    const [viewer, country] = [{ value: '203.0.113.7' }, { value: 'DE' }]
    const named = { [edgeHeaders.viewer]: viewer, accept }
    expect(pass(fn?.Properties.FunctionCode, forged)).toEqual({ headers: named })
    const seen = { 'cloudfront-viewer-country': country }
    expect(pass(fn?.Properties.FunctionCode, { ...forged, ...seen })).toEqual({
      headers: { ...named, ...seen, [edgeHeaders.country]: country },
    })
    // Without a policy that names CloudFront's header, a viewer could send it.
    const unnamed = synthesizeStage(stageWith({ waf: true, region: 'us-east-1' })).service
    const [other] = unnamed.resources('AWS::CloudFront::Function', z.object({ FunctionCode: z.string() }))
    expect(pass(other?.Properties.FunctionCode, { ...forged, ...seen })).toEqual({ headers: { ...named, ...seen } })
    const [policy] = service.resources('AWS::CloudFront::OriginRequestPolicy', anything)
    expect(policy?.Properties).toMatchObject({
      OriginRequestPolicyConfig: {
        CookiesConfig: { CookieBehavior: 'all' },
        HeadersConfig: { HeaderBehavior: 'allViewerAndWhitelistCloudFront', Headers: ['CloudFront-Viewer-Country'] },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    })

    const [distribution] = service.resources('AWS::CloudFront::Distribution', anything)
    const [secret] = service.resources('AWS::SecretsManager::Secret', anything)
    expect(distribution?.Properties).toMatchObject({
      DistributionConfig: {
        DefaultCacheBehavior: { FunctionAssociations: [{ EventType: 'viewer-request' }] },
        Origins: [{ OriginCustomHeaders: [{ HeaderName: edgeHeaders.key }] }],
      },
    })
    const key = JSON.stringify(distribution?.Properties).match(/"HeaderValue":(.*?\})\]?/)?.[1] ?? ''
    expect(key).toContain('resolve:secretsmanager')
    expect(key).toContain(`${secret?.id}`)
    const known = rows.filter(({ name }) => service.lambda(name).Environment?.Variables.EDGE_KEY !== undefined)
    // Public documents are the same for everyone, and the webhook has an address of its own.
    const limited = rows.filter(({ trigger, rateLimit }) => trigger.kind === 'http' && rateLimit)
    expect(known).toEqual(limited)
    expect(stack.lambda('oauth-authorize-submit').Environment?.Variables.EDGE_KEY).toBeUndefined()
  })

  it('gives CloudFront and the functions another key by a template that changes, and keeps the one before for a rollback', () => {
    const next = synthesizeStage(stageWith({ waf: true, region: 'us-east-1', domain, edgeKeyGeneration: 2 })).service
    const keyOf = (of: typeof service) => [
      JSON.stringify(of.resources('AWS::CloudFront::Distribution', anything)[0]?.Properties).match(
        /FirewallKey\d/,
      )?.[0],
      JSON.stringify(of.lambda('users-me').Environment?.Variables.EDGE_KEY).match(/FirewallKey\d/)?.[0],
    ]
    expect([keyOf(service), keyOf(next)]).toEqual([
      ['FirewallKey1', 'FirewallKey1'],
      ['FirewallKey2', 'FirewallKey2'],
    ])
    const ids = next.resources('AWS::SecretsManager::Secret', anything).map(({ id }) => id.slice(0, 12))
    expect(ids).toEqual(expect.arrayContaining(['FirewallKey1', 'FirewallKey2']))
  })

  it('has functions refuse what did not come through it, but while DNS or the key changes', () => {
    const refusing = (of: typeof service) =>
      rows.flatMap(({ name }) => of.lambda(name).Environment?.Variables.EDGE_ONLY ?? [])
    expect(refusing(service)).toEqual(
      rows.filter(({ trigger, rateLimit }) => trigger.kind === 'http' && rateLimit).map(() => 'on'),
    )
    const changing = synthesizeStage(stageWith({ waf: true, region: 'us-east-1', edgeOnly: false })).service
    expect(refusing(changing)).toEqual([])
    expect(refusing(stack)).toEqual([])
  })

  it('keeps tokens, sessions and queries out of its log', () => {
    const [logging] = service.resources('AWS::WAFv2::LoggingConfiguration', anything)
    expect(logging?.Properties.RedactedFields).toEqual([
      { SingleHeader: { Name: 'authorization' } },
      { SingleHeader: { Name: 'cookie' } },
      { QueryString: {} },
    ])
  })

  it('is refused outside us-east-1, where CloudFront’s web ACLs live', () => {
    expect(() => stageWith({ waf: true, region: 'eu-central-1' })).toThrow('us-east-1')
    expect(() => stageWith({ waf: true })).toThrow('us-east-1')
  })
})
