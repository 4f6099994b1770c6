import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stackNames } from '../../../../infra/aws/stacks/stackNames.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const hosted = { clientId: 'console', stripePublishableKey: 'pk_test_published' }
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'console.example.com', certificateArn }
const issuer = 'https://id.example.com'

function webOf(stage: ReturnType<typeof stageWith>) {
  const found = synthesizeStage(stage).stacks.find(([name]) => name === 'consoleWeb')
  if (found === undefined) throw new Error('The stage does not host the console')
  return found[1]
}

const plain = webOf(stageWith({ console: hosted }))
const named = webOf(stageWith({ console: { ...hosted, domain }, issuer }))

const anything = z.record(z.string(), z.unknown())
const behavior = z.looseObject({ ViewerProtocolPolicy: z.string(), CachePolicyId: z.string() })
const distribution = z.object({
  DistributionConfig: z.looseObject({
    Aliases: z.array(z.string()).optional(),
    DefaultCacheBehavior: behavior,
    CacheBehaviors: z.array(behavior.extend({ PathPattern: z.string() })),
    Origins: z.array(z.looseObject({ OriginAccessControlId: reference })),
  }),
})
const headers = z.object({
  ResponseHeadersPolicyConfig: z.looseObject({
    SecurityHeadersConfig: z.looseObject({
      ContentSecurityPolicy: z.object({ ContentSecurityPolicy: reference }),
    }),
  }),
})

describe('The console on AWS', () => {
  it('is hosted by no stage that does not say so', () => {
    expect(Object.keys(stackNames(stageWith()))).not.toContain('consoleWeb')
    expect(Object.keys(stackNames(stageWith({ console: hosted })))).toContain('consoleWeb')
  })

  it('is in a private bucket that only its own distribution reads', () => {
    const [bucket] = plain.resources('AWS::S3::Bucket', anything)
    expect(bucket?.Properties).toMatchObject({
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      BucketEncryption: { ServerSideEncryptionConfiguration: [{}] },
    })
    expect(bucket?.Properties.VersioningConfiguration).toBeUndefined()
    const [policy] = plain.resources('AWS::S3::BucketPolicy', z.looseObject({ PolicyDocument: anything }))
    expect(policy?.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      }),
    ])
  })

  it('is served over TLS, its assets from the cache and everything else anew', () => {
    const [found] = plain.resources('AWS::CloudFront::Distribution', distribution)
    const { DefaultCacheBehavior: pages, CacheBehaviors: cached = [] } = found?.Properties.DistributionConfig ?? {}
    // CachingDisabled and CachingOptimized.
    expect(pages?.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad')
    expect(cached.map(({ PathPattern, CachePolicyId }) => [PathPattern, CachePolicyId])).toEqual([
      ['assets/*', '658327ea-f89d-4fab-a63d-7e88639e58f6'],
    ])
    expect([pages, ...cached].map((one) => one?.ViewerProtocolPolicy)).toEqual(Array(2).fill('redirect-to-https'))
  })

  it('answers its own addresses with its page, and those of files with the file or nothing', () => {
    const code = z.object({ FunctionCode: z.string() })
    const [pages] = plain.resources('AWS::CloudFront::Function', code)
    const answered = ['/', '/callback', '/organizations/1/invoices', '/config.json', '/assets/main-1.js'].map((uri) =>
      runInNewContext(`${pages?.Properties.FunctionCode}; handler({ request: { uri: ${JSON.stringify(uri)} } }).uri`),
    )
    expect(answered).toEqual([...Array(3).fill('/index.html'), '/config.json', '/assets/main-1.js'])
  })

  it('may run its own scripts and Stripe’s, and call the API, the issuer and Stripe', () => {
    const policyOf = (read: typeof plain) =>
      read.resources('AWS::CloudFront::ResponseHeadersPolicy', headers)[0]?.Properties.ResponseHeadersPolicyConfig
        .SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy
    const directives = Object.fromEntries(
      policyOf(named)
        ?.split('; ')
        .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]) ?? [],
    )
    expect(directives).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      'frame-ancestors': ["'none'"],
    })
    expect(directives['connect-src']).toEqual(
      expect.arrayContaining(["'self'", issuer, 'https://api.stripe.com', expect.stringContaining('RoutesApi')]),
    )
    expect(policyOf(plain)).not.toContain('unsafe')
  })

  it('has in its outputs what is registered and what its configuration is', () => {
    expect(named.output('ConsoleRedirectUri')).toBe('https://console.example.com/callback')
    expect(JSON.parse(named.output('ConsoleConfig'))).toEqual({
      issuer,
      client_id: 'console',
      api_base_url: expect.stringContaining('RoutesApi'),
      stripe_publishable_key: 'pk_test_published',
      stripe_js_url: expect.stringMatching(/^https:\/\/js\.stripe\.com\//),
    })
    expect(plain.output('ConsoleUrl')).toMatch(/^https:\/\/WebsiteDistribution/)
    expect(plain.json.Outputs).not.toHaveProperty('ConsoleDnsTarget')
    expect(named.output('ConsoleDnsTarget')).toMatch(/DomainName$/)
  })

  it('takes no secret key, and no certificate that CloudFront does not', () => {
    expect(() => stageWith({ console: { ...hosted, stripePublishableKey: 'sk_test_secret' } })).toThrow('stripePub')
    const elsewhere = { ...domain, certificateArn: certificateArn.replace('us-east-1', 'eu-central-1') }
    expect(() => stageWith({ console: { ...hosted, domain: elsewhere } })).toThrow('certificateArn')
  })
})
