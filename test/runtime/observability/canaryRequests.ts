import { limitOf } from '../../http/rateLimits/limitOf.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import type { Canaries } from './canaries.ts'

const json = { 'content-type': 'application/json' }

/** Signs in, and misuses codes, secrets and tokens. */
export async function misuseTokens(stack: BillingStack, canaries: Canaries): Promise<void> {
  const { demo } = stack.client.info
  const credentials = { client_id: demo.client_id, client_secret: demo.client_secret }
  const exchange = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${stack.client.info.base_url}/api/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...fields, state: canaries.make('form field') }),
    })
  const code = canaries.add('authorization code', await stack.client.authorizationCode('owner'))
  const withCode = { grant_type: 'authorization_code', redirect_uri: demo.redirect_uri, code }
  const wrongSecret = canaries.make('wrong client secret')
  await exchange({ ...credentials, ...withCode, client_secret: wrongSecret })
  await exchange({ ...credentials, ...withCode, code_verifier: canaries.make('code verifier') })
  await exchange({ ...credentials, ...withCode, redirect_uri: `https://${canaries.make('redirect')}.example.com` })
  await exchange({ ...credentials, ...withCode, code: canaries.make('unknown code') })
  await exchange({ ...credentials, grant_type: canaries.make('grant type') })
  await exchange({ grant_type: 'authorization_code' })
  await exchange(withCode, {
    authorization: `Basic ${Buffer.from(`${demo.client_id}:${wrongSecret}`).toString('base64')}`,
  })
  await exchange(withCode, { authorization: `Basic ${canaries.make('ill-formed Basic')}` })

  const tokens = await stack.client.exchange(code)
  canaries.add('access token', tokens.access_token)
  const refresh_token = canaries.add('refresh token', tokens.refresh_token)
  const refresh = { ...credentials, grant_type: 'refresh_token', refresh_token }
  await exchange({ ...refresh, scope: canaries.make('scope') })
  const rotated = /"refresh_token":"([^"]+)"/.exec(await (await exchange(refresh)).text())?.[1] ?? ''
  canaries.add('rotated refresh token', rotated)
  await exchange(refresh)
  await exchange({ ...credentials, ...withCode })
  await askAboutTokens(stack, canaries, credentials)
}

/** Introspects and revokes known and unknown tokens, and requests an untrusted end of session. */
async function askAboutTokens(
  stack: BillingStack,
  canaries: Canaries,
  credentials: Record<string, string>,
): Promise<void> {
  const base = `${stack.client.info.base_url}/api/oauth`
  const tokens = await stack.client.signIn('owner')
  const known = [canaries.add('access token', tokens.access_token), canaries.add('refresh token', tokens.refresh_token)]
  for (const token of [...known, canaries.make('unknown token'), `a.${canaries.make('unknown token')}.c`]) {
    for (const endpoint of ['introspect', 'revoke']) {
      const fields = { ...credentials, token, token_type_hint: canaries.make('hint') }
      await fetch(`${base}/${endpoint}`, { method: 'POST', body: new URLSearchParams(fields) })
    }
  }
  const query = {
    post_logout_redirect_uri: `https://${canaries.make('redirect')}.example.com/`,
    state: canaries.make('state'),
  }
  await fetch(`${base}/logout?${new URLSearchParams(query)}`)
}

/** Requests with no, bad and forged tokens, broken bodies, refused fields and unknown paths. */
export async function sendNonsense(stack: BillingStack, canaries: Canaries): Promise<void> {
  const token = canaries.add('access token', await stack.token())
  const organization = await stack.client.newOrganization()
  const checkout = `/api/billing/checkout?organization_id=${organization}`
  const forged = `${token.split('.').slice(0, 2).join('.')}.${canaries.make('signature')}`
  await stack.wire({ method: 'GET', path: '/api/users/me', token: canaries.make('bearer token') })
  await stack.wire({ method: 'GET', path: `/api/users/me?token=${canaries.make('query')}`, token: forged })
  await stack.wire({ method: 'GET', path: '/api/users/me', token })
  await stack.wire({
    method: 'POST',
    path: checkout,
    token,
    headers: json,
    body: `{"card":"${canaries.make('broken')}`,
  })
  await stack.wire({ method: 'POST', path: checkout, token, headers: json, body: canaries.make('no JSON') })
  await stack.wire({ method: 'POST', path: checkout, token, body: canaries.make('no JSON') })
  await stack.wire({ method: 'POST', path: '/api/oauth/token', headers: json, body: `["${canaries.make('list')}"` })
  await stack.wire({ method: 'GET', path: `/api/${canaries.make('path')}`, token })
  await stack.wire({ method: 'GET', path: `/api/billing/entitlements?organization_id=${canaries.make('id')}`, token })
  await stack.checkout(organization, ['base_ota'], { as: 'member', coupon: canaries.make('coupon') })
  await stack.checkout(organization, ['base_ota'], { as: 'stranger', card: canaries.make('card', 'pm_') })
  await stack.checkout(organization, [canaries.make('plan')], { card: canaries.make('card', 'pm_') })
  await updateProfile(stack, canaries, token)
}

/** Refused changes, one request over the limit, and one while the limit cannot be checked. */
async function updateProfile(stack: BillingStack, canaries: Canaries, token: string): Promise<void> {
  const update = (body: object) => stack.client.send({ method: 'PATCH', path: '/api/users/me', token, body })
  // Read when the function is imported.
  process.env.RATE_LIMITS = 'on'
  await update({ password: canaries.make('password'), email: canaries.make('email'), [canaries.make('field')]: 1 })
  process.env.RATE_LIMITS = 'off'
  const error = { type: 'ValidationException', message: canaries.make('words of DynamoDB') }
  stack.dynamoDb.fail({ operation: 'UpdateItem', times: 1, error })
  await update({ username: canaries.make('username').slice(0, 30) })
  // More than a window admits, since one may end between two of them.
  const admitted = 2 * limitOf('users-me-update')
  for (let sent = 0; sent <= admitted; sent += 1) {
    const { status } = await update({ username: `${canaries.make('username')} !` })
    if (status === 429) return
  }
}
