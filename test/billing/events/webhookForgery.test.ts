import { beforeEach, describe, expect, it } from '@jest/globals'
import { call } from '../../http/call.ts'
import { createRandom } from '../../proof/world/worldTime.ts'
import { errorBody } from '../../support/errorBody.ts'
import { subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { latestEvent, postWebhook, signatureOf, signed } from './webhookRequests.ts'

const bed = useCleanStack()

const refused = { status: 400, body: errorBody('Invalid signature', 'invalid_signature') }

/** An event that is projected when it is signed. */
async function realEvent(): Promise<string> {
  const { subscriptionId } = await subscribedOrganization(bed.stack)
  return JSON.stringify(await latestEvent(bed.stack, 'customer.subscription.created', subscriptionId))
}

describe('POST to the webhook, with a forged request', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  async function expectRefused(payload: string | Uint8Array, signatures: readonly string[]): Promise<void> {
    await bed.stack.emulator.clearRequests()
    bed.stack.dynamoDb.reset()
    expect(await postWebhook(bed.stack, payload, signatures)).toEqual(refused)
    expect(bed.stack.dynamoDb.calls()).toEqual([])
    expect(await bed.stack.emulator.requests()).toEqual([])
  }

  it('answers 400 without a signature, with an empty one and with one without time or signature', async () => {
    const event = await realEvent()
    for (const signatures of [[], [''], ['hello'], ['t=,v1='], [`t=${await bed.stack.emulator.now()}`], ['v1=abc']]) {
      await expectRefused(event, signatures)
    }
  })

  it('answers 400 to a signature with another secret, and to a scheme that is not v1', async () => {
    const event = await realEvent()
    const timestamp = await bed.stack.emulator.now()
    await expectRefused(event, [signatureOf(event, { secret: 'whsec_of_another_endpoint', timestamp })])
    await expectRefused(event, [(await signed(bed.stack, event)).replace('v1=', 'v0=')])
    await expectRefused(event, [(await signed(bed.stack, event)).toUpperCase()])
  })

  // [threat 51]
  it('answers 400 where one byte of the body, the time or the signature is changed', async () => {
    const event = await realEvent()
    const header = await signed(bed.stack, event)
    await expectRefused(`${event} `, [header])
    await expectRefused(event.replace('"active"', '"Active"'), [header])
    await expectRefused(event, [header.replace(/t=(\d+)/, (_, time) => `t=${Number(time) + 1}`)])
    await expectRefused(event, [header.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
  })

  it('answers 400 to a byte order mark before the signed bytes', async () => {
    const event = await realEvent()
    const header = await signed(bed.stack, event)
    await expectRefused(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(event)]), [header])
  })

  it('answers 400 to a genuine header that is followed by a forged one', async () => {
    const event = await realEvent()
    const forged = signatureOf(event, { secret: 'whsec_x', timestamp: (await bed.stack.emulator.now()) - 1 })
    await expectRefused(event, [await signed(bed.stack, event), forged])
  })

  // [catch webhookVerifier.readSigned]
  it('answers 400 to an empty body and to a signed body that is no event', async () => {
    for (const body of [
      '',
      'not JSON',
      '{',
      '[]',
      'null',
      '7',
      '{"type":"customer.created"}',
      '{"data":{"object":{}}}',
    ]) {
      await expectRefused(body, [await signed(bed.stack, body)])
    }
  })

  // [threat 51]
  it('answers 400 to 200 random headers and bodies, and reads nothing', async () => {
    const { handler } = await import('../../../functions/stripe-webhook/handler.ts')
    const event = await realEvent()
    const header = await signed(bed.stack, event)
    const random = createRandom(20_261_120)
    const upTo = (limit: number) => Math.floor(random() * limit)
    const pick = (choices: readonly string[]) => choices[upTo(choices.length)] ?? ''
    const noise = (length: number) => Array.from({ length }, () => String.fromCharCode(upTo(0x250))).join('')
    const hex = () => Array.from({ length: 64 }, () => upTo(16).toString(16)).join('')
    const changed = (text: string) => {
      const at = upTo(text.length)
      return `${text.slice(0, at)}${text[at] === '~' ? '!' : '~'}${text.slice(at + 1)}`
    }
    const time = /t=\d+/.exec(header)?.[0] ?? ''
    const badHeader = () =>
      pick([
        noise(upTo(80)),
        changed(header),
        `${time},v1=${hex()}`,
        `${time},v1=`,
        't=NaN,v1=NaN',
        `v1=${hex()}`,
        ',=,',
        '',
      ])
    const badBody = () =>
      pick([noise(upTo(400)), changed(event), event.slice(upTo(event.length) + 1), '{}', '', '\u0000'])

    bed.stack.dynamoDb.reset()
    await bed.stack.emulator.clearRequests()
    const statuses = new Map<number | undefined, number>()
    for (let batch = 0; batch < 10; batch += 1) {
      const sent = Array.from({ length: 20 }, () => {
        // At least one of the two is wrong.
        const kind = upTo(3)
        const body = kind === 0 ? event : badBody()
        const name = pick(['stripe-signature', 'Stripe-Signature'])
        const isBase64Encoded = upTo(4) === 0
        return {
          headers: { [name]: kind === 1 ? header : badHeader() },
          body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
          isBase64Encoded,
        }
      })
      for (const { status } of await Promise.all(sent.map((one) => call(handler, one)))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    expect([...statuses]).toEqual([[400, 200]])
    expect(bed.stack.dynamoDb.calls()).toEqual([])
    expect(await bed.stack.emulator.requests()).toEqual([])
  })
})
