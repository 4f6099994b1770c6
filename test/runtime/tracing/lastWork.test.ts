import { describe, expect, it } from '@jest/globals'
import { finishBeforeAnswer, lastWork } from '../../../lib/http/endpoint/lastWork.ts'
import { inInvocation, withRequestScope } from '../../../lib/http/endpoint/requestScope.ts'
import { eventOf, lambdaContext } from '../../http/call.ts'

/** Begins work that is done in a later turn of the loop, and returns whether it is. */
function beginWork(): () => boolean {
  let isDone = false
  finishBeforeAnswer(
    new Promise((resolve) =>
      setImmediate(() => {
        isDone = true
        resolve()
      }),
    ),
  )
  return () => isDone
}

describe('The last work of an invocation', () => {
  it('is done when a request is answered', async () => {
    let isDone = () => false
    const handler = withRequestScope(async () => {
      isDone = beginWork()
      return { statusCode: 200 }
    })
    await handler(eventOf({}), lambdaContext)
    expect(isDone()).toBe(true)
  })

  it.each(['returns', 'throws'])('is done when what a schedule runs %s', async (ending) => {
    let isDone = () => false
    const run = inInvocation(lambdaContext, async () => {
      isDone = beginWork()
      if (ending === 'throws') throw new Error('refused')
    })
    await Promise.allSettled([run])
    expect(isDone()).toBe(true)
  })

  it('is given up after 10 ms, and not waited for once it is done', async () => {
    let finish = () => {}
    finishBeforeAnswer(
      new Promise((resolve) => {
        finish = resolve
      }),
    )
    const began = performance.now()
    await lastWork()
    const waited = performance.now() - began
    expect(waited).toBeGreaterThan(8)
    expect(waited).toBeLessThan(500)
    finish()
    await new Promise(setImmediate)
    const before = performance.now()
    await lastWork()
    expect(performance.now() - before).toBeLessThan(8)
  })
})
