import { describe, expect, it } from '@jest/globals'
import { createGatewayCall } from '../../../lib/adapters/stripe/wireCall.ts'

const call = createGatewayCall({ info: () => {}, warn: () => {}, error: () => {} })

const framesOf = (error: Error) => (error.stack ?? '').split('\n').length - 1

describe('A call of the gateway', () => {
  it('notes no stack where it is made, which the SDK would with each, and all of it later', async () => {
    const answer = await call(
      async () => {
        const first = new Error('where it is made')
        await Promise.resolve()
        return [framesOf(first), framesOf(new Error('later'))]
      },
      (frames) => frames,
    )
    expect(answer).toMatchObject({ kind: 'ok', value: [0, expect.any(Number)] })
    expect(answer).not.toMatchObject({ value: [0, 0] })
  })

  it('notes stacks again where it fails at once', async () => {
    const { stackTraceLimit } = Error
    const fails = () => {
      throw new Error('at once')
    }
    expect(await call(fails, () => undefined)).toMatchObject({ kind: 'unknown' })
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })
})
