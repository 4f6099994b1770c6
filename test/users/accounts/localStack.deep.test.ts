import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { demoUsers } from '../../../infra/data/demo.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { startStack } from '../../../infra/local/stack.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const stack = await openLocalStack()
const client = localClient(stack.info)

const users = z.enum(['owner', 'billing_admin', 'member', 'stranger'])
describe('The local stack', () => {
  it.each(Object.keys(demoUsers))('accepts the password of its %s, and no other', async (name) => {
    const user = users.parse(name)
    const token = (await client.signIn(user)).access_token
    const ask = (current_password: string) =>
      client.send({
        method: 'POST',
        path: '/api/users/me/email/change',
        token,
        body: { email: 'elsewhere@example.com', current_password },
      })
    expect((await ask('guessed-password')).status).toBe(400)
    expect((await ask(stack.info.demo[user].password)).status).toBe(202)
  })

  it('is seeded again by another stack without a change to passwords', async () => {
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: stack.info.dynamodb_endpoint,
      AWS_ENDPOINT_URL_KMS: stack.info.kms_endpoint,
    }
    const again = await startStack({ quiet: true, schedules: false, env })
    const token = (await client.signIn('owner')).access_token
    const body = { email: 'elsewhere@example.com', current_password: again.info.demo.owner.password }
    const answer = await client.send({ method: 'POST', path: '/api/users/me/email/change', token, body })
    await again.close()
    expect(answer.status).toBe(202)
  })
})
