import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createAuthorizationCodes } from '../../../lib/adapters/dynamodb/authorizationCodeStore.ts'
import { type AuthenticationMethod, byPassword } from '../../../lib/core/authentication.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const demo = () => bed.stack.client.info.demo

function database() {
  return { documents: bed.stack.documents, accounts: bed.stack.client.info.tables.accounts }
}

/** What the account of the owner says of a second factor; nothing, as accounts from before there was one, for undefined. */
async function setSecondFactor(has: boolean | undefined): Promise<void> {
  const { documents, accounts } = database()
  await documents.send(
    new UpdateCommand({
      TableName: accounts,
      Key: { pk: `USER#${demo().owner.id}`, sk: 'USER' },
      ...(has === undefined
        ? { UpdateExpression: 'REMOVE hasSecondFactor' }
        : { UpdateExpression: 'SET hasSecondFactor = :has', ExpressionAttributeValues: { ':has': has } }),
    }),
  )
}

/** The tokens of a sign-in of the owner by these methods, `secondsAgo`. */
async function signIn(methods: readonly AuthenticationMethod[] = byPassword, secondsAgo = 0) {
  const { documents, accounts } = database()
  const { client_id, redirect_uri, owner } = demo()
  const now = await bed.stack.emulator.now()
  const code = crypto.randomUUID()
  await createAuthorizationCodes(documents, accounts).issue(digestSecret(code), {
    clientId: client_id,
    userId: userIdSchema.parse(owner.id),
    securityRev: 0,
    authentication: { at: (now - secondsAgo) * 1000, methods },
    scope: '',
    redirectUri: redirect_uri,
    validUntil: (now + 60) * 1000,
  })
  return bed.stack.client.exchange(code)
}

async function refreshed(refresh_token: string): Promise<string> {
  const { client_id, client_secret } = demo()
  const body = { client_id, client_secret, grant_type: 'refresh_token', refresh_token }
  const answer = await bed.stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
  return z.object({ access_token: z.string() }).parse(answer.body).access_token
}

let organizationId = ''
beforeEach(async () => {
  await setSecondFactor(undefined)
  organizationId = await bed.stack.client.newOrganization()
})

/** Removes the member; where that is refused, what is asked of the sign-in. */
async function remove(token: string): Promise<string> {
  const path = `/api/organizations/${organizationId}/members/${demo().member.id}`
  const { status, headers } = await bed.stack.client.sendForHeaders({ method: 'DELETE', path, token })
  if (status === 204) return 'removed'
  const members = await bed.stack.client.send({
    method: 'GET',
    path: `/api/organizations/${organizationId}/members`,
    token,
  })
  expect(JSON.stringify(members.body)).toContain(demo().member.id)
  const challenge = headers['www-authenticate'] ?? ''
  expect(challenge).toContain('error="insufficient_user_authentication"')
  const asked = [...challenge.matchAll(/(max_age|acr_values)="([^"]+)"/g)].map(([, name, value]) => `${name} ${value}`)
  return `${status} ${asked.join(', ')}`
}

describe('Removing a member', () => {
  it('is done for a sign-in of the last ten minutes, and refused for one before, to the second', async () => {
    expect(await remove((await signIn(byPassword, 602)).access_token)).toBe('401 max_age 600')
    expect(await remove((await signIn(byPassword, 590)).access_token)).toBe('removed')
  })

  // [threat 91]
  it('is refused for a token that was refreshed a moment ago, whose sign-in is older, until its user has signed in again', async () => {
    const { refresh_token } = await signIn()
    await bed.stack.emulator.advance(605)
    expect(await remove(await refreshed(refresh_token))).toBe('401 max_age 600')
    expect(await remove((await signIn()).access_token)).toBe('removed')
  })

  // [threat 92]
  it('asks for the second factor where the account has one, in the same answer', async () => {
    await setSecondFactor(true)
    expect(await remove((await signIn(byPassword)).access_token)).toBe('401 max_age 600, acr_values aal2')
    expect(await remove((await signIn(byPassword, 700)).access_token)).toBe('401 max_age 600, acr_values aal2')
    expect(await remove((await signIn(['pwd', 'otp', 'mfa'], 700)).access_token)).toBe('401 max_age 600')
    expect(await remove((await signIn(['pwd', 'otp', 'mfa'])).access_token)).toBe('removed')
  })

  it('asks for nothing more once the second factor is removed', async () => {
    await setSecondFactor(false)
    expect(await remove((await signIn()).access_token)).toBe('removed')
  })

  it('is refused before it is said whether the organization exists', async () => {
    organizationId = crypto.randomUUID()
    const path = `/api/organizations/${organizationId}/members/${demo().member.id}`
    const { access_token: token } = await signIn(byPassword, 700)
    expect((await bed.stack.client.send({ method: 'DELETE', path, token })).status).toBe(401)
  })
})
