import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { demoUsers } from '../../infra/data/demo.ts'
import { type LocalClient, localClient } from '../../infra/local/localClient.ts'
import { samplePassword, signUp } from '../../infra/local/sampleAccounts.ts'
import { type LocalStack, startStack } from '../../infra/local/stack.ts'
import { tokenIn } from './useAccounts.ts'

let stack: LocalStack
let client: LocalClient

beforeAll(async () => {
  stack = await startStack({ quiet: true, schedules: false })
  client = localClient(stack.info)
})

afterAll(() => stack?.close())

const users = z.enum(['owner', 'billing_admin', 'member', 'stranger'])
const mails = z.array(z.object({ to: z.string(), text: z.string() }))
const organizations = z.object({ organizations: z.array(z.object({ id: z.string(), role: z.string() })) })

async function tokenMailedTo(address: string): Promise<string> {
  const { body } = await client.send({ method: 'GET', path: '/_local/mail.json' })
  const mail = mails.parse(body).find(({ to, text }) => to === address && text.includes('purpose=invitation'))
  return tokenIn(mail?.text ?? '')
}

async function submit(fields: Record<string, string>) {
  const body = new URLSearchParams(fields)
  const response = await fetch(`${stack.info.base_url}/api/auth/link`, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

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

describe('An invitation in a mail', () => {
  it('is accepted on its page by the user who signs in with the invited address, once', async () => {
    const [owner, someUser, stranger] = [await client.signIn('owner'), await signUp(client), await signUp(client)]
    const path = `/api/organizations/${stack.info.demo.organization_id}/invitations`
    const body = { email: someUser.email, role: 'member' }
    const invited = await client.send({ method: 'POST', path, token: owner.access_token, body })
    expect(invited.status).toBe(202)
    const token = await tokenMailedTo(someUser.email)
    const accept = (email: string) => submit({ purpose: 'invitation', token, email, password: samplePassword })

    const refused = await accept(stranger.email)
    expect([refused.status, refused.text.includes('a different email address')]).toEqual([400, true])
    const accepted = await accept(someUser.email)
    expect([accepted.status, accepted.text.includes('You are now a member of the organization')]).toEqual([200, true])
    const list = await client.send({ method: 'GET', path: '/api/organizations', token: someUser.accessToken })
    expect(organizations.parse(list.body).organizations).toMatchObject([
      { id: stack.info.demo.organization_id, role: 'member' },
    ])
  })
})
