import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import Stripe from 'stripe'
import { createWebhookVerifier } from '../../../lib/adapters/stripe/webhookVerifier.ts'
import { noon } from '../../billing/fixtures.ts'
import { checkProperty } from './checkProperty.ts'
import { codePoint, json } from './jsonValues.ts'

const secrets = ['whsec_current', 'whsec_previous']
const verifier = createWebhookVerifier(secrets, { now: () => noon * 1000, sync: async () => {} })

const signature = (payload: string, timestamp: number, secret = 'whsec_current') =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const event = fc.record({
  type: fc.string({ unit: codePoint }),
  created: fc.nat(),
  data: fc.record({ object: fc.dictionary(fc.string(), json) }),
})
const payloads = event.map((value) => JSON.stringify(value))

/** Headers that look like Stripe's, and any others. */
const times = fc.oneof(fc.integer({ min: noon - 400, max: noon + 400 }).map(String), fc.string())
const digests = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
  fc.string(),
)
const items = fc.oneof(
  times.map((time) => `t=${time}`),
  fc.tuple(fc.constantFrom('v0', 'v1', 'V1', ''), digests).map(([scheme, digest]) => `${scheme}=${digest}`),
  fc.string({ unit: codePoint }),
)
const headers = fc.option(
  fc.oneof(
    fc.array(items, { maxLength: 5 }).map((all) => all.join(',')),
    fc.string(),
  ),
  { nil: undefined },
)

describe('The webhook verifier', () => {
  // [catch webhookVerifier.hasSigned]
  it('accepts nothing that was not signed, and never throws, whatever bytes and header arrive', () => {
    const anyPayload = fc.oneof(fc.uint8Array({ maxLength: 200 }), payloads.map(bytes))
    checkProperty(
      fc.property(anyPayload, headers, (payload, header) => expect(verifier.verify(payload, header)).toBeNull()),
    )
  })

  it('accepts every event that a current secret signed at most 300 s ago or ahead', () => {
    const signedAt = fc.integer({ min: noon - 300, max: noon + 300 })
    checkProperty(
      fc.property(payloads, signedAt, fc.constantFrom(...secrets), (payload, timestamp, secret) => {
        expect(verifier.verify(bytes(payload), signature(payload, timestamp, secret))).not.toBeNull()
      }),
    )
  })

  it('accepts none that was signed at any other time', () => {
    const away = fc.tuple(fc.integer({ min: 301, max: 4_000_000_000 }), fc.constantFrom(1, -1))
    checkProperty(
      fc.property(payloads, away, (payload, [seconds, direction]) => {
        const timestamp = Math.max(0, noon + direction * seconds)
        expect(verifier.verify(bytes(payload), signature(payload, timestamp))).toBeNull()
      }),
    )
  })

  it('accepts none with a byte of it changed', () => {
    checkProperty(
      fc.property(payloads, fc.nat(), fc.integer({ min: 1, max: 255 }), (payload, at, change) => {
        const tampered = bytes(payload)
        const index = at % tampered.length
        tampered[index] = (tampered[index] ?? 0) ^ change
        fc.pre(Buffer.from(tampered).toString('utf8') !== payload)
        expect(verifier.verify(tampered, signature(payload, noon))).toBeNull()
      }),
    )
  })

  it('accepts none with a character of its digest changed, or signed with another secret', () => {
    checkProperty(
      fc.property(payloads, fc.nat(63), fc.string(), (payload, at, secret) => {
        fc.pre(!secrets.includes(secret))
        const header = signature(payload, noon)
        const index = header.indexOf('v1=') + 3 + at
        const forged = header.slice(0, index) + (header[index] === '0' ? '1' : '0') + header.slice(index + 1)
        expect(verifier.verify(bytes(payload), forged)).toBeNull()
        expect(verifier.verify(bytes(payload), signature(payload, noon, `other ${secret}`))).toBeNull()
      }),
    )
  })
})
