import { createHmac } from 'node:crypto'
import { noon } from '../../billing/fixtures.ts'
import type { Sent } from '../../http/call.ts'
import { type Below, eventText, oneOf } from './strangeEvents.ts'

export const secrets = ['whsec_current', 'whsec_previous'] as const

/** One request to the webhook's endpoint. */
export interface WebhookCase {
  sent: Sent
  /** Signed now with a current secret and delivered as it was signed. */
  intact: boolean
  storeUnavailable: boolean
}

export function digest(secret: string, time: number | string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(`${time}.`).update(text).digest('hex')
}

/** The next case of a seed: a signed request with whatever event, and two times of three something done to it on its way. */
export function webhookCase(below: Below): WebhookCase {
  const text = eventText(below)
  const secret = oneOf(below, secrets)
  const signature = `t=${noon},v1=${digest(secret, noon, text)}`
  const base64 = below(3) === 0
  const body = base64 ? Buffer.from(text).toString('base64') : text
  const sent = { body, isBase64Encoded: base64, headers: { 'stripe-signature': signature } }
  const storeUnavailable = below(10) === 0
  switch (below(6)) {
    case 0:
      return { sent: { ...sent, ...otherBytes(Buffer.from(text), below) }, intact: false, storeUnavailable }
    case 1:
      return { sent: { ...sent, headers: otherHeaders(signature, below) }, intact: false, storeUnavailable }
    case 2: {
      const forged = otherSignature(signature, text, secret, below)
      return { sent: { ...sent, headers: { 'stripe-signature': forged } }, intact: false, storeUnavailable }
    }
    default:
      // Half a surrogate pair cannot be sent: what was signed is the text as it arrives.
      return { sent, intact: Buffer.from(text).toString('utf8') === text, storeUnavailable }
  }
}

function otherBytes(bytes: Buffer, below: Below): Sent {
  const at = below(bytes.length + 1)
  const cut = (piece: Buffer, skipped = 0) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + skipped)])
  const asBase64 = (changed: Buffer) => ({ body: changed.toString('base64'), isBase64Encoded: true })
  const noise = Buffer.from(Array.from({ length: 1 + below(4) }, () => below(256)))
  switch (below(8)) {
    case 0:
      return asBase64(cut(noise, noise.length))
    case 1:
      return asBase64(cut(noise))
    case 2:
      return asBase64(cut(Buffer.from(oneOf(below, ['ff', 'c080', 'eda080', 'f8888080', 'efbbbf', '00']), 'hex')))
    case 3:
      return asBase64(bytes.subarray(0, at))
    case 4:
      // The flag does not match the body.
      return { body: bytes.toString('utf8'), isBase64Encoded: true }
    case 5:
      return { body: bytes.toString('base64'), isBase64Encoded: false }
    case 6:
      return {
        body: `${bytes.toString('base64').slice(0, at)}${oneOf(below, ['=', '*', '\n', '-_', '===='])}`,
        isBase64Encoded: true,
      }
    default:
      return oneOf<Sent>(below, [
        { body: undefined },
        { body: '' },
        { body: bytes.toString('latin1') },
        below(3) === 0 ? tooLarge : {},
      ])
  }
}

const tooLarge: Sent = { body: `{"padding":"${'x'.repeat(1024 * 1024)}"}`, isBase64Encoded: false }

function otherHeaders(signature: string, below: Below): Record<string, string> {
  switch (below(7)) {
    case 0:
      return { 'Stripe-Signature': signature }
    case 1:
      return { 'STRIPE-SIGNATURE': signature, 'stripe-signature': 't=1,v1=00' }
    case 2:
      return { 'stripe-signature': 't=1,v1=00', 'Stripe-Signature': signature }
    case 3:
      return {}
    case 4:
      return { ' stripe-signature': signature, stripe_signature: signature }
    case 5:
      return { 'stripe-signature': signature, 'content-type': 'text/html', 'content-length': '-1', host: '' }
    default:
      return Object.fromEntries(
        [...Array(100).keys()].map((n) => [`x-${n}`, signature]).concat([['stripe-signature', signature]]),
      )
  }
}

function otherSignature(signature: string, text: string, secret: string, below: Below): string {
  const wrong = `v1=${'0'.repeat(64)}`
  const right = signature.slice(signature.indexOf('v1='))
  const signedAt = (time: number | string, shown: number | string = time) =>
    `t=${shown},v1=${digest(secret, time, text)}`
  switch (below(12)) {
    case 0:
      return `t=${noon},${wrong},${right}`
    case 1:
      return `t=${noon},${right},${wrong},v0=${'0'.repeat(64)}`
    case 2:
      return `t=${noon},${`${wrong},`.repeat(1 + below(300))}${below(2) ? right : wrong}`
    case 3:
      return signedAt(noon + oneOf(below, [-301, -300, -299, 299, 300, 301, 1e9, -noon]))
    case 4:
      return signedAt(noon, oneOf(below, [`${noon}x`, ` ${noon}`, `+${noon}`, `${noon}.5`, `0${noon}`, `${noon}e3`]))
    case 5:
      return signedAt(oneOf(below, ['NaN', '', '-1', 'Infinity', '1e99', '0x6b', '9'.repeat(50)]))
    case 6:
      return `t=${noon + 9999},${signature}`
    case 7:
      return `${signature},t=${oneOf(below, [noon, noon - 9999, noon + 9999, 'x'])}`
    case 8:
      return oneOf(below, [
        signature.toUpperCase(),
        signature.replace('v1', 'v0'),
        signature.replaceAll(',', ';'),
        `"${signature}"`,
      ])
    case 9:
      return oneOf(below, [
        '',
        ',',
        '=',
        't',
        't=',
        'v1',
        't=,v1=',
        '\u0000',
        '😀',
        signature.slice(0, below(signature.length)),
      ])
    case 10:
      return `t=${noon},v1=${digest(oneOf(below, ['', 'whsec_', 'whsec_other', 'undefined']), noon, text)}`
    default:
      return `t=${noon},v1=${digest(secret, noon, `${text} `)}${oneOf(below, ['', ',', 'é', '\ud800'])}`
  }
}
