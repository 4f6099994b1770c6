import * as z from 'zod'
import { samplePassword, tokenMailedTo } from '../../../infra/local/samples/sampleAccounts.ts'
import { apiClient } from '../../../infra/local/samples/sampleApiClient.ts'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { queryOf, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import type { Canaries } from './canaries.ts'

/** Every way into an account, with right and wrong passwords, links and addresses. */
export async function useAccounts(stack: BillingStack, canaries: Canaries): Promise<void> {
  const post = (path: string, body: object, token?: string) =>
    stack.client.send({ method: 'POST', path, body, ...(token !== undefined && { token }) })
  const address = (what: string) => canaries.add(what, `${canaries.make(what)}@example.com`)
  const email = address('email')
  const password = canaries.make('password')
  const username = canaries.make('username').slice(0, 30)
  await post('/api/auth/register', { email, username, password })
  await post('/api/auth/verify', { token: await linkTo(stack, canaries, email), password })
  await post('/api/auth/register', { email, username: canaries.make('username').slice(0, 30), password })
  await post('/api/auth/verify', { token: canaries.make('link'), password: canaries.make('password') })
  await post('/api/auth/verify/request', { email: address('unknown address') })
  await post('/api/auth/password/forgot', { email })
  await post('/api/auth/password/reset', { token: canaries.make('link'), password: canaries.make('password') })
  await post('/api/auth/password/reset', { token: await linkTo(stack, canaries, email), password })

  const { demo } = stack.client.info
  const token = canaries.add('access token', await stack.token('member'))
  const wrong = canaries.make('password')
  await post('/api/users/me/email/change', { email: address('email'), current_password: wrong }, token)
  await post('/api/auth/password/change', { current_password: wrong, new_password: canaries.make('password') }, token)
  // The owner of the account cannot be notified.
  await fetch(`${stack.client.info.mail.endpoint}/_control/faults`, {
    method: 'POST',
    body: JSON.stringify({ operation: 'SendEmail', times: 3 }),
  })
  const changed = { current_password: demo.member.password, new_password: demo.member.password }
  await post('/api/auth/password/change', changed, token)
  await fetch(`${stack.client.info.mail.endpoint}/_control/faults`, { method: 'DELETE' })
  const invitation = `/api/organizations/${demo.organization_id}/invitations`
  const owner = canaries.add('access token', await stack.token())
  await post(invitation, { email: address('invited address'), role: 'member' }, owner)
  await post('/api/organizations/invitations/accept', { token: canaries.make('invitation') }, owner)
  await useApiClient(stack, canaries)
  await signInOnThePage(stack, canaries, email, password)
  await showFactors(stack, canaries)
}

/** An API client's secrets and tokens, right and wrong ones. */
async function useApiClient(stack: BillingStack, canaries: Canaries): Promise<void> {
  const organizationId = await stack.client.newOrganization()
  const { id, client_id, client_secret } = await apiClient(stack.client, organizationId)
  canaries.add('client secret', client_secret)
  const one = `/api/organizations/${organizationId}/api-clients/${id}`
  const owner = await stack.token()
  const rotated = await stack.client.send({ method: 'POST', path: `${one}/rotate`, token: owner })
  canaries.add('client secret', z.object({ client_secret: z.string() }).parse(rotated.body).client_secret)
  const credentials = { client_id, client_secret, grant_type: 'client_credentials' }
  const send = (body: object) => stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
  const { access_token } = z.object({ access_token: z.string() }).parse((await send(credentials)).body)
  const token = canaries.add('access token', access_token)
  stack.dynamoDb.fail({ operation: 'UpdateItem', times: 9, kind: 'drop_before' })
  await send(credentials)
  stack.dynamoDb.reset()
  await send({ ...credentials, client_secret: canaries.make('wrong client secret') })
  await send({ ...credentials, scope: canaries.make('scope') })
  await stack.client.send({ method: 'GET', path: '/api/users/me', token })
  await stack.client.send({ method: 'DELETE', path: one, token: owner })
  await stack.client.send({ method: 'GET', path: `/api/billing/entitlements?organization_id=${organizationId}`, token })
}

/** The hosted pages: a request that cannot be trusted, one that is refused, wrong passwords until there are too many. */
async function signInOnThePage(stack: BillingStack, canaries: Canaries, email: string, password: string) {
  const { demo, base_url } = stack.client.info
  const visitor = new Visitor(base_url)
  const request = {
    client_id: demo.client_id,
    redirect_uri: demo.redirect_uri,
    response_type: 'code',
    code_challenge: challengeOf(canaries.make('code verifier').repeat(3)),
    code_challenge_method: 'S256',
    state: canaries.make('state'),
  }
  const query = new URLSearchParams(request).toString()
  const without = (change: object) => new URLSearchParams({ ...request, ...change }).toString()
  await visitor.get(without({ redirect_uri: `https://${canaries.make('redirect')}.example.com/` }))
  await visitor.get(without({ prompt: 'none', login_hint: canaries.make('login hint') }))
  const page = await visitor.get(query)
  for (let guess = 0; guess < 51; guess += 1) {
    await visitor.submit(query, page, 'login', {
      fields: { email: demo.stranger.email, password: canaries.make('guess') },
    })
  }
  await visitor.submit(query, page, 'login', { fields: { email, password, csrf: canaries.make('csrf') } })
  await visitor.submit(query, page, 'login', { fields: { email, password } })
  if (visitor.cookie) canaries.add('session', visitor.cookie.replace(/^[^=]*=/, ''))
  if (visitor.knownBrowser) canaries.add('known browser', visitor.knownBrowser.replace(/^[^=]*=/, ''))
}

/** Second factors: wrong codes, no passkey, and a right code. */
async function showFactors(stack: BillingStack, canaries: Canaries) {
  const { demo, base_url } = stack.client.info
  const { email, secret, recoveryCodes } = await enrollFactors(stack.client)
  canaries.add('email', email)
  canaries.add('TOTP secret', secret)
  const visitor = new Visitor(base_url)
  const query = queryOf({ clientId: demo.client_id }, { redirect_uri: demo.redirect_uri })
  await signInAt(visitor, query, email, samplePassword)
  canaries.add('pending sign-in', (visitor.cookie ?? '').replace(/^[^=]*=/, ''))
  const page = await visitor.get(query)
  const proofs = [
    { factor: 'totp', proof: canaries.make('wrong code') },
    { factor: 'passkey', proof: canaries.make('passkey') },
    ...recoveryCodes.slice(0, 1).map((code) => ({ factor: 'recovery_code', proof: canaries.add('code', code) })),
  ]
  // The user cannot be notified of the code that is right.
  const faults = `${stack.client.info.mail.endpoint}/_control/faults`
  await fetch(faults, { method: 'POST', body: JSON.stringify({ operation: 'SendEmail', times: 3 }) })
  for (const fields of proofs) await visitor.submit(query, page, 'second_factor', { fields })
  await fetch(faults, { method: 'DELETE' })
}

/** The token of the newest mail to an address, which is a secret as well. */
async function linkTo(stack: BillingStack, canaries: Canaries, address: string): Promise<string> {
  return canaries.add('link', await tokenMailedTo(stack.client, address))
}
