import { isRecord } from '../wire/wire.ts'
import type { RawParams } from './form.ts'

/** `params` with security codes and all but the last four digits of card numbers masked: neither is ever logged. */
export function withoutCardData(params: RawParams): RawParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      name === 'card' && isRecord(value) ? masked(value) : isRecord(value) ? withoutCardData(value) : value,
    ]),
  )
}

function masked({ number, cvc, ...card }: RawParams): RawParams {
  return {
    ...card,
    ...(number !== undefined && { number: typeof number === 'string' ? maskedNumber(number) : '****' }),
    ...(cvc !== undefined && { cvc: '***' }),
  }
}

function maskedNumber(number: string): string {
  const digits = number.replaceAll(/\D/g, '')
  return digits.length < 12 ? '****' : '*'.repeat(digits.length - 4) + digits.slice(-4)
}
