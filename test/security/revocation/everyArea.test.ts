import { beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { peopleOf } from '../../organizations/members/people.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { setAttributes } from '../../support/setAttributes.ts'

const bed = useBillingStack()
const { mailsTo, tokenMailedTo } = peopleOf(bed)

const demo = () => bed.stack.client.info.demo
const user = () => demo().billing_admin
let password = ''
beforeEach(() => {
  password ||= user().password
})

type Tokens = Awaited<ReturnType<typeof bed.stack.client.signIn>>
const signIn = () => bed.stack.client.signIn('billing_admin')

const send = (method: 'GET' | 'POST', path: string, token?: string, body?: unknown) =>
  bed.stack.client.send({ method, path, ...(token && { token }), ...(body !== undefined && { body }) })

/** What each area answers a token, and what the authorization server says of both tokens. */
async function seen({ access_token: token, refresh_token }: Tokens) {
  const { organization_id: id, client_id, client_secret } = demo()
  const statusOf = async (path: string) => (await send('GET', path, token)).status
  const isActive = async (asked: string) => {
    const { body } = await send('POST', '/api/oauth/introspect', undefined, { client_id, client_secret, token: asked })
    return z.object({ active: z.boolean() }).parse(body).active
  }
  return {
    statuses: [
      await statusOf('/api/users/me'),
      await statusOf('/api/organizations'),
      await statusOf(`/api/organizations/${id}/members`),
      await statusOf(`/api/billing/subscriptions?organization_id=${id}`),
      await statusOf('/api/billing/products'),
    ],
    active: [await isActive(token), await isActive(refresh_token)],
  }
}
const live = { statuses: [200, 200, 200, 200, 200], active: [true, true] }
const ended = { statuses: [401, 401, 401, 401, 401], active: [false, false] }

async function setActive(isActive: boolean): Promise<void> {
  const key = { pk: `USER#${user().id}`, sk: 'USER' }
  await setAttributes(bed.stack.documents, bed.stack.client.info.tables.accounts, key, { isActive })
}

async function revoke(token: string): Promise<void> {
  const { client_id, client_secret } = demo()
  const response = await fetch(`${bed.stack.client.info.base_url}/api/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, token }),
  })
  expect(response.status).toBe(200)
}

describe('A grant', () => {
  it.each(['refresh_token', 'access_token'] as const)(
    'ends at the next request once its %s is revoked, and no other one does',
    async (which) => {
      const [one, other] = [await signIn(), await signIn()]
      expect(await seen(one)).toEqual(live)
      await revoke(one[which])
      expect(await seen(one)).toEqual(ended)
      expect(await seen(other)).toEqual(live)
    },
  )

  // [threat 15.1]
  it('ends at the next request once the user is switched off', async () => {
    const tokens = await signIn()
    await setActive(false)
    expect(await seen(tokens)).toEqual(ended)
    await setActive(true)
  })

  // [threat 15.1]
  it('ends at the next request once the password is reset, as every other one does', async () => {
    const all = [await signIn(), await signIn()]
    const { email } = user()
    await send('POST', '/api/auth/password/forgot', undefined, { email })
    password = 'a new passphrase 7d1f'
    const reset = { token: await tokenMailedTo(email), password }
    expect((await send('POST', '/api/auth/password/reset', undefined, reset)).status).toBe(200)
    for (const tokens of all) expect(await seen(tokens)).toEqual(ended)
    expect(await seen(await signIn())).toEqual(live)
  })

  it('ends at the next request once another one changed the password, which lives on', async () => {
    const [mine, thiefs] = [await signIn(), await signIn()]
    const change = { current_password: password, new_password: 'one more passphrase 3b9e' }
    expect((await send('POST', '/api/auth/password/change', mine.access_token, change)).status).toBe(204)
    password = change.new_password
    expect(await seen(thiefs)).toEqual(ended)
    expect(await seen(mine)).toEqual(live)
  })

  it('ends at the next request once another one changed the email address, which lives on', async () => {
    const [mine, thiefs] = [await signIn(), await signIn()]
    const email = 'billing-admin-moved@example.com'
    const change = { email, current_password: password }
    expect((await send('POST', '/api/users/me/email/change', mine.access_token, change)).status).toBe(202)
    expect(await seen(thiefs)).toEqual(live)
    const confirm = { token: await tokenMailedTo(email) }
    expect((await send('POST', '/api/users/me/email/confirm', mine.access_token, confirm)).status).toBe(200)
    expect(await seen(thiefs)).toEqual(ended)
    expect(await seen(mine)).toEqual(live)
    expect(await mailsTo(email)).not.toEqual([])
  })

  it('ends at the next request once its code is used again', async () => {
    const { client_id, client_secret, redirect_uri } = demo()
    const code = await bed.stack.client.authorizationCode('billing_admin')
    const tokens = await bed.stack.client.exchange(code)
    const again = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code }
    expect((await send('POST', '/api/oauth/token', undefined, again)).status).toBe(400)
    expect(await seen(tokens)).toEqual(ended)
  })
})
