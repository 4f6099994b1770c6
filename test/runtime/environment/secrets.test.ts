import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { webhookVerifierFromEnvironment } from '../../../lib/runtime/billing.ts'
import { knownBrowserKeys, stripeSecretKey } from '../../../lib/runtime/secrets.ts'
import { call } from '../../http/call.ts'

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:stripe-AbCdEf'

const names = [
  ...['STRIPE_SECRET_KEY', 'STRIPE_SECRET_KEY_ARN', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_WEBHOOK_SECRETS_ARN'],
  ...['KNOWN_BROWSER_KEY', 'KNOWN_BROWSER_KEY_ARN'],
  ...['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ...['BILLING_TABLE', 'AUDIT_LOG_TABLE'],
]

describe('Secrets', () => {
  let server: Awaited<ReturnType<typeof listenOnLoopback>>
  let answer: { status: number; body: object }
  let asked: string[]

  beforeEach(async () => {
    asked = []
    const answering = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      asked.push(`${request.headers['x-amz-target']} ${Buffer.concat(chunks)}`)
      response
        .writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(answer.body))
    })
    server = await listenOnLoopback(answering)
    for (const name of names) delete process.env[name]
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = server.url
    process.env.AWS_ACCESS_KEY_ID = 'local'
    process.env.AWS_SECRET_ACCESS_KEY = 'local'
  })

  afterEach(() => server.close())

  // [asvs 13.3.1]
  it('are read from Secrets Manager by their ARN', async () => {
    process.env.STRIPE_SECRET_KEY_ARN = ARN
    answer = { status: 200, body: { ARN, Name: 'stripe', SecretString: 'sk_test_stored' } }
    expect(await stripeSecretKey().current()).toBe('sk_test_stored')
    expect(asked).toEqual([`secretsmanager.GetSecretValue {"SecretId":"${ARN}"}`])
  })

  // [catch secrets.openedWhenAsked]
  it('of known browsers is read when it is asked for, and again after it could not be read', async () => {
    process.env.KNOWN_BROWSER_KEY_ARN = ARN
    answer = { status: 400, body: { __type: 'AccessDeniedException' } }
    const keys = knownBrowserKeys()
    expect(asked).toEqual([])
    await expect(keys.current()).rejects.toMatchObject({ code: 'service_unavailable' })
    answer = { status: 200, body: { ARN, SecretString: 'new,old' } }
    expect([await keys.current(), await keys.current()]).toEqual(['new,old', 'new,old'])
    expect(asked).toHaveLength(2)
  })

  it('of the webhook may be two, both of which verify', async () => {
    process.env.STRIPE_WEBHOOK_SECRETS_ARN = ARN
    answer = { status: 200, body: { ARN, SecretString: 'whsec_new, whsec_old\n' } }
    const verifier = await (await webhookVerifierFromEnvironment())()
    const payload = '{"type":"ping","created":1,"data":{"object":{}}}'
    for (const [secret, verified] of Object.entries({ whsec_new: true, whsec_old: true, whsec_other: false })) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
      expect([secret, verifier.verify(Buffer.from(payload), signature) !== null]).toEqual([secret, verified])
    }
  })

  // [catch billing.webhookVerifierFromEnvironment]
  it('of the webhook refuse every event while they cannot be read: 500, and nothing else is read or written', async () => {
    process.env.STRIPE_SECRET_KEY = 'sk_test_local'
    process.env.STRIPE_WEBHOOK_SECRETS_ARN = ARN
    Object.assign(process.env, { BILLING_TABLE: 'billing', AUDIT_LOG_TABLE: 'auditLog' })
    process.env.AWS_ENDPOINT_URL_DYNAMODB = process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER
    answer = { status: 400, body: { __type: 'AccessDeniedException' } }
    const { handler } = await import('../../../functions/stripe-webhook/handler.ts')
    const body = '{"type":"ping","created":1,"data":{"object":{}}}'
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_new' })
    const post = () => call(handler, { body, headers: { 'stripe-signature': signature } })
    expect(await post()).toMatchObject({ status: 500, body: { code: 'event_not_recorded' } })
    expect(asked).toEqual([`secretsmanager.GetSecretValue {"SecretId":"${ARN}"}`])
    answer = { status: 200, body: { ARN, SecretString: 'whsec_new' } }
    expect(await post()).toMatchObject({ status: 200 })
  })

  it('are taken from the environment where they are set there, without a call', async () => {
    process.env.STRIPE_SECRET_KEY = 'sk_test_local'
    process.env.STRIPE_SECRET_KEY_ARN = ARN
    expect(await stripeSecretKey().current()).toBe('sk_test_local')
    expect(asked).toEqual([])
  })

  it('make the cold start fail where none is set', () => {
    expect(stripeSecretKey).toThrow('Neither the secret nor its ARN is set')
  })

  it('are not read at a cold start, and refuse what asks for them while they are not stored or cannot be read', async () => {
    process.env.STRIPE_SECRET_KEY_ARN = ARN
    const key = stripeSecretKey()
    expect(asked).toEqual([])
    answer = { status: 200, body: { ARN } }
    await expect(key.current()).rejects.toMatchObject({ code: 'service_unavailable' })
    answer = { status: 400, body: { __type: 'ResourceNotFoundException', message: 'no such secret' } }
    await expect(key.current()).rejects.toMatchObject({ code: 'service_unavailable' })
    answer = { status: 200, body: { ARN, SecretString: 'sk_test_stored' } }
    expect(await key.current()).toBe('sk_test_stored')
  })
})
