import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { limitOf } from './limitOf.ts'

let stack: LocalStack | undefined

afterEach(async () => {
  await stack?.close()
  jest.resetModules()
})

/** Setup intents from a stack with these variables, more than two windows admit: how many were answered 429. */
async function refusals(env: Record<string, string | undefined>): Promise<number> {
  stack = await startStack({ quiet: true, env })
  const client = localClient(stack.info)
  const { access_token: token } = await client.signIn('owner')
  const path = `/api/billing/card-gateway/setup-intent?organization_id=${await client.newOrganization()}`
  const count = 2 * limitOf('billing-setup-intent') + 1
  const answers = await Promise.all(Array.from({ length: count }, () => client.send({ method: 'POST', path, token })))
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  return answers.filter(({ status }) => status === 429).length
}

describe('The local stack', () => {
  it.each([undefined, 'true'])('limits nothing with RATE_LIMITS=%s', async (RATE_LIMITS) => {
    expect(await refusals({ RATE_LIMITS })).toBe(0)
  })

  it('limits with RATE_LIMITS=on', async () => {
    expect(await refusals({ RATE_LIMITS: 'on' })).toBeGreaterThan(0)
  })
})
