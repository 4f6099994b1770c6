import { randomUUID } from 'node:crypto'
import { ScanCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { demoBrowserConsoleAt } from '../../../infra/data/demo.ts'
import { emailChangeToken, samplePassword, signUp, tokenMailedTo } from '../../../infra/local/samples/sampleAccounts.ts'
import { invite } from '../../../infra/local/samples/sampleInvitation.ts'
import { putEvent } from '../../../lib/adapters/dynamodb/eventStore.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { createAtGateway } from '../../billing/createAtGateway.ts'
import { customerOf, subscribedOrganization } from '../../billing/gatewayView.ts'
import { storeDeliveries } from '../../events/delivery/storeDeliveries.ts'
import { holdUnknown } from '../../infra/operate/putSlot.ts'
import { formFields } from '../../oauth/authorize/page.ts'
import { queryOf, responseIn, signInAt, VERIFIER } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { codesAnswer } from '../../oauth/device/deviceVisits.ts'
import { signOut } from '../../signIn/hosted/walk.ts'
import { dueRemoval } from '../../signIn/secondFactor/dueRemoval.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { partner, registerPartner } from '../../support/partner.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { comeByCompany, comeByDomain, connectProvider } from './companyStories.ts'
import { runScheduled } from './runScheduled.ts'
import { changeAuthenticators } from './securityStory.ts'

const MINUTE = 60
const HOUR = 3600
const listed = z.object({ sessions: z.array(z.object({ id: z.string() })) })
const authenticators = z.object({ authenticators: z.array(z.object({ id: z.string() })) })
const received = z.object({ invitations: z.array(z.object({ id: z.string() })) })
const SUBSCRIPTIONS = { method: 'POST', path: '/v1/subscriptions', times: 2 } as const

/** Runs a whole pass of the reconciliation, as an operator does. */
const reconcile = () => runSchedule('billing-reconcile', { begin: true })

/** Submits a hosted form, as a visitor or as nobody. */
function postForm({ client }: BillingStack, path: string, fields: Record<string, string>, visitor?: Visitor) {
  const body = new URLSearchParams(fields)
  return fetch(`${client.info.base_url}${path}`, { method: 'POST', headers: visitor?.cookieHeader ?? {}, body })
}

/** `base_ota` with a coupon of its own, and no webhook of what comes of it. */
async function buy(stack: BillingStack, testCard: string): Promise<{ organizationId: string }> {
  const { organizationId, card } = await stack.organizationWithCard(testCard)
  const { code } = await stack.newCoupon()
  await stack.emulator.webhooks('hold')
  await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
  return { organizationId }
}

/** A purchase with a coupon whose customer was deleted just before. `lost`: so is the refusal. */
async function buyWithoutCustomer(stack: BillingStack, { lost }: { lost: boolean }): Promise<void> {
  const { organizationId, card } = await stack.organizationWithCard()
  await stack.emulator.webhooks('hold')
  await stack.stripe.customers.del(await customerOf(stack, organizationId))
  if (lost) await stack.emulator.fault({ ...SUBSCRIPTIONS, kind: 'drop_after' })
  await stack.checkout(organizationId, ['base_ota'], { card, coupon: (await stack.newCoupon()).code })
}

async function deleteCustomer(stack: BillingStack): Promise<string> {
  const { organizationId } = await stack.organizationWithCard()
  await stack.emulator.webhooks('hold')
  await stack.stripe.customers.del(await customerOf(stack, organizationId))
  return organizationId
}

async function sweepAfter(stack: BillingStack, happens: () => Promise<unknown>, minutes = 6): Promise<void> {
  await happens()
  await stack.emulator.advance(minutes * MINUTE)
  await runScheduled(stack, 'billing-sweep')
}

const declined = 'pm_card_chargeCustomerFail'
const unauthenticated = 'pm_card_authenticationRequired'

/** Beyond the sample events: what makes each function do all that it may do. Webhooks are held in some, and come in the next. */
export const stories: Readonly<Record<string, (stack: BillingStack) => Promise<unknown>>> = {
  'a checkout that is declined keeps its coupon': (stack) => buy(stack, declined),
  'a checkout forgets a customer that is gone, and gives its coupon back': (stack) =>
    buyWithoutCustomer(stack, { lost: false }),
  'a setup intent for a known customer': async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    await stack.addCard(organizationId, 'pm_card_visa')
  },
  'a signed-in session guesses the password of its account': async (stack) => {
    const guess = { current_password: 'a wrong guess', new_password: 'another new password' }
    const token = await stack.token('billing_admin')
    for (let sent = 0; sent < 8; sent += 1) {
      await stack.client.send({ method: 'POST', path: '/api/auth/password/change', token, body: guess })
    }
  },
  'an organization is created under a key': async (stack) => {
    const headers = { 'idempotency-key': randomUUID() }
    const token = await stack.token()
    await stack.client.send({ method: 'POST', path: '/api/organizations', token, headers, body: { name: 'Acme' } })
  },
  'an API client is created under a key': async (stack) => {
    const path = `/api/organizations/${await stack.client.newOrganization()}/api-clients`
    const body = { name: 'Acme', scopes: ['billing:read'] }
    const headers = { 'idempotency-key': randomUUID() }
    await stack.client.send({ method: 'POST', path, token: await stack.token(), headers, body })
  },
  'a webhook endpoint is created under a key, and again after a crash before the answer was stored': async (stack) => {
    const { client, documents } = stack
    const path = `/api/organizations/${await client.newOrganization()}/webhook-endpoints`
    const body = { url: client.info.events.url, event_types: ['invoice.paid'] }
    const headers = { 'idempotency-key': randomUUID() }
    const { access_token: token } = await client.signIn('owner')
    const create = () => client.send({ method: 'POST', path, token, headers, body })
    const { id } = z.object({ id: z.string() }).parse((await create()).body)
    const TableName = client.info.tables.accounts
    const named = { FilterExpression: 'resourceId = :id', ExpressionAttributeValues: { ':id': id } }
    const { Items: [key] = [] } = await documents.send(new ScanCommand({ TableName, ...named }))
    const Key = { pk: key?.pk, sk: key?.sk }
    await documents.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE answer' }))
    await stack.emulator.advance(31)
    await create()
  },
  'a company signs its people on, who join it, and signs one out': comeByCompany,
  'a user comes back to a client that was allowed before': async ({ client: { info } }) => {
    const visitor = new Visitor(info.base_url)
    await registerPartner(info)
    const query = queryOf({ clientId: partner.client_id })
    await signInAt(visitor, query, info.demo.owner.email, info.demo.owner.password)
    await visitor.submit(query, await visitor.get(query), 'allow')
    responseIn(await visitor.get(query))
  },
  'a user looks at what clients were allowed, and ends the session of a browser': async (stack) => {
    const { send, info } = stack.client
    const token = await stack.token()
    await send({ method: 'GET', path: '/api/users/me/consents', token })
    const path = '/api/users/me/sessions'
    const idsNow = async () =>
      listed.parse((await send({ method: 'GET', path, token })).body).sessions.map(({ id }) => id)
    const before = await idsNow()
    const query = queryOf({ clientId: partner.client_id })
    await signInAt(new Visitor(info.base_url), query, info.demo.owner.email, info.demo.owner.password)
    for (const id of await idsNow()) {
      if (!before.includes(id)) await send({ method: 'DELETE', path: `${path}/${id}`, token })
    }
  },
  'a user signs out of the console at the hosted page': async ({ client: { info } }) => {
    const { clientId, redirectUri: redirect_uri } = demoBrowserConsoleAt(info.base_url)
    const visitor = new Visitor(info.base_url)
    const query = queryOf({ clientId }, { redirect_uri, scope: 'openid' })
    const end = new URL('/api/oauth/logout', info.base_url)
    for (const asks of [true, false]) {
      await signInAt(visitor, query, info.demo.owner.email, info.demo.owner.password)
      const { code = '' } = responseIn(await visitor.get(query), redirect_uri)
      const exchange = { client_id: clientId, grant_type: 'authorization_code', code, redirect_uri }
      const body = new URLSearchParams({ ...exchange, code_verifier: VERIFIER })
      const answer = await fetch(new URL('/api/oauth/token', info.base_url), { method: 'POST', body })
      if (asks) await signOut(visitor, end.href)
      else {
        end.searchParams.set('id_token_hint', z.object({ id_token: z.string() }).parse(await answer.json()).id_token)
        await fetch(end, { headers: { cookie: visitor.cookie ?? '' }, redirect: 'manual' })
      }
    }
  },
  'a user changes the own authenticators, and an owner approves a reset': changeAuthenticators,
  'people come to an organization by its domain, until its record is gone': comeByDomain,
  'a user connects somebody at a provider': connectProvider,
  'a user mistypes the password at an invitation, and then joins': async (stack) => {
    const { client } = stack
    const { email } = await signUp(client)
    const { token } = await invite(client, { organizationId: client.info.demo.organization_id, email })
    for (const password of ['mistyped', samplePassword]) {
      await postForm(stack, '/api/auth/link', { purpose: 'invitation', token, password })
    }
  },
  'a user signs in with second factors': async ({ client }) => {
    const ada = await enrollFactors(client)
    const visitor = new Visitor(client.info.base_url)
    const query = queryOf({ clientId: client.info.demo.client_id })
    const options = () =>
      fetch(`${client.info.base_url}/api/auth/passkey/options`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...visitor.cookieHeader },
        body: JSON.stringify({ purpose: 'second_factor' }),
      })
    await signInAt(visitor, query, ada.email, samplePassword)
    await options()
    for (const proof of ['000000', await ada.code()]) {
      const fields = { factor: 'totp', proof }
      await visitor.submit(query, await visitor.get(query), 'second_factor', { fields })
    }
  },
  'a user with second factors lets a device sign in': async ({ client }) => {
    const { base_url, demo } = client.info
    const form = new URLSearchParams({ client_id: demo.device_client_id })
    const answer = await fetch(`${base_url}/api/oauth/device_authorization`, { method: 'POST', body: form })
    const { user_code } = codesAnswer.parse(await answer.json())
    const ada = await enrollFactors(client)
    const visitor = new Visitor(base_url, '/api/device')
    const submit = async (action: string, fields: Record<string, string>) =>
      visitor.submit('', await visitor.get(''), action, { fields })
    await submit('login', { email: ada.email, password: samplePassword })
    await submit('second_factor', { factor: 'totp', proof: await ada.code() })
    await visitor.submit('', await submit('code', { user_code }), 'allow')
  },
  'a user loses every second factor, confirms it, asks the owners, and removes them a week later': async (stack) => {
    const { client, emulator } = stack
    const ada = await enrollFactors(client)
    const { token } = await invite(client, { organizationId: client.info.demo.organization_id, email: ada.email })
    const accept = { path: '/api/organizations/invitations/accept', token: ada.accessToken, body: { token } }
    await client.send({ method: 'POST', ...accept })
    const query = queryOf({ clientId: client.info.demo.client_id })
    const act = async (action: string) => {
      const visitor = new Visitor(client.info.base_url)
      await signInAt(visitor, query, ada.email, samplePassword)
      const { csrf = '' } = formFields((await visitor.get(query)).body)
      await postForm(stack, '/api/auth/factor-reset', { csrf, action }, visitor)
    }
    await act('request')
    const link = { purpose: 'confirm_factor_reset', token: await tokenMailedTo(client, ada.email) }
    await postForm(stack, '/api/auth/link', link)
    await act('send_again')
    await emulator.advance(7 * 24 * HOUR + MINUTE)
    await act('complete')
  },
  'a reset of a password removes an authenticator': async ({ client }) => {
    const { email } = await enrollFactors(client)
    const post = (path: string, body: object) => client.send({ method: 'POST', path, body })
    await post('/api/auth/password/forgot', { email })
    const token = await tokenMailedTo(client, email)
    const { body } = await post('/api/auth/password/reset/options', { token })
    const remove_authenticators = authenticators.parse(body).authenticators.map(({ id }) => id)
    await post('/api/auth/password/reset', { token, password: 'another new password', remove_authenticators })
  },
  'the session that asked for another address confirms it': async ({ client }) => {
    const ada = await signUp(client)
    const body = { token: await emailChangeToken(client, ada) }
    await client.send({ method: 'POST', path: '/api/users/me/email/confirm', token: ada.accessToken, body })
  },
  'a user accepts to own an organization': async ({ client }) => {
    const { email, accessToken: token } = await signUp(client)
    await invite(client, { organizationId: client.info.demo.organization_id, email, role: 'owner' })
    const { body } = await client.send({ method: 'GET', path: '/api/users/me/invitations', token })
    for (const { id } of received.parse(body).invitations) {
      await client.send({ method: 'POST', path: `/api/users/me/invitations/${id}/accept`, token })
    }
  },
  'an organization with a customer is to be deleted': async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    const path = `/api/organizations/${organizationId}`
    await stack.client.send({ method: 'DELETE', path, token: await stack.token() })
  },
  'a setup intent forgets a customer that is gone': async (stack) =>
    stack.post('/api/billing/card-gateway/setup-intent', await deleteCustomer(stack)),
  'a change of billing details forgets a customer that is gone': async (stack) => {
    const path = `/api/billing/details?organization_id=${await deleteCustomer(stack)}`
    await stack.client.send({ method: 'PATCH', path, token: await stack.token(), body: { name: 'Example GmbH' } })
  },
  'a cancellation of an unpaid purchase gives its coupon back': async (stack) => {
    const { organizationId } = await buy(stack, unauthenticated)
    await stack.cancel(organizationId, { product: 'ota' })
  },
  'a payment finds that its purchase expired, and gives its coupon back': async (stack) => {
    const { organizationId } = await buy(stack, unauthenticated)
    await stack.emulator.advance(24 * HOUR)
    await stack.post('/api/billing/subscriptions/ota/pay', organizationId, {})
  },
  'the webhook hears that an unpaid purchase expired': async (stack) => {
    await buy(stack, unauthenticated)
    await stack.emulator.advance(24 * HOUR)
    await stack.emulator.flush()
  },
  'the webhook hears that a customer was deleted': async (stack) => {
    await deleteCustomer(stack)
    await stack.emulator.flush()
  },
  'the sweeper finds a purchase whose answer was lost': (stack) =>
    sweepAfter(stack, async () => {
      await stack.emulator.fault({ ...SUBSCRIPTIONS, kind: 'drop_after' })
      await buy(stack, 'pm_card_visa')
    }),
  'the sweeper finds a declined purchase': (stack) =>
    sweepAfter(stack, async () => {
      await stack.emulator.fault({ ...SUBSCRIPTIONS, kind: 'drop_after' })
      await buy(stack, declined)
    }),
  'the sweeper frees the purchase of a customer that is gone, and gives its coupon back': (stack) =>
    sweepAfter(stack, () => buyWithoutCustomer(stack, { lost: true }), 16),
  'a cancellation of a purchase whose outcome is unknown looks it up': async (stack) => {
    await stack.emulator.fault({ ...SUBSCRIPTIONS, kind: 'drop_after' })
    const { organizationId } = await buy(stack, 'pm_card_visa')
    await stack.emulator.advance(MINUTE)
    await stack.cancel(organizationId, { product: 'ota' })
  },
  'the reconciliation projects what expired unheard': async (stack) => {
    await buy(stack, unauthenticated)
    await stack.emulator.advance(24 * HOUR)
    await reconcile()
  },
  'the reconciliation projects an end unheard': async (stack) => {
    const { subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(subscriptionId)
    await reconcile()
  },
  'the reconciliation forgets a customer that was deleted unheard': async (stack) => {
    await deleteCustomer(stack)
    await reconcile()
  },
  'the reconciliation finds a subscription that was made by hand': async (stack) => {
    const { organizationId, card } = await stack.organizationWithCard()
    const customer = await customerOf(stack, organizationId)
    await createAtGateway(stack, { customer, default_payment_method: card })
    await reconcile()
  },
  'the reconciliation asks for the customer of a slot whose subscription Stripe does not know': async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    await holdUnknown(stack, organizationId)
    await reconcile()
  },
  'an account is erased with an organization of its own, and leaves another one': async (stack) => {
    const { client } = stack
    const { accessToken: token, email } = await signUp(client)
    const created = await client.send({ method: 'POST', path: '/api/organizations', token, body: { name: 'Alone' } })
    const { id: organizationId } = z.object({ id: z.string() }).parse(created.body)
    await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
    // As an owner among others: the deletion hands the organization over.
    const invited = await invite(client, { organizationId: client.info.demo.organization_id, email, role: 'owner' })
    const body = { token: invited.token }
    await client.send({ method: 'POST', path: '/api/organizations/invitations/accept', token, body })
    await invite(client, { organizationId: client.info.demo.other_organization_id, email }).catch(() => {})
    await client.send({ method: 'GET', path: '/api/users/me/export', token })
    await client.send({ method: 'DELETE', path: '/api/users/me', token })
    for (const days of [27, 3]) {
      await stack.emulator.advance(days * 24 * HOUR + MINUTE)
      await runScheduled(stack, 'deletions-erase')
    }
  },
  'mails about money are sent, of a card that expires too, and tried again': async (stack) => {
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.emulator.flush()
    const now = new Date((await stack.emulator.now()) * 1000)
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    const expiry = { exp_month: next.getUTCMonth() + 1, exp_year: next.getUTCFullYear() }
    await stack.stripe.paymentMethods.update(card, { card: expiry })
    await reconcile()
    await stack.emulator.fault({ method: 'GET', path: '/v1/customers', kind: 'status', status: 500, times: 2 })
    await runScheduled(stack, 'billing-mails')
    await stack.emulator.clearFaults()
    await stack.emulator.advance(MINUTE)
    await runScheduled(stack, 'billing-mails')
  },
  'an event is numbered': async (stack) => {
    const { organization_id: organizationId } = stack.client.info.demo
    const named = {
      organizationId: organizationIdSchema.parse(organizationId),
      id: 'evt_1',
      type: 'member.added',
    } as const
    const draft = { ...named, at: 1, subject: 'iam', revision: 1, data: {} }
    const TransactItems = putEvent(stack.client.info.tables.events, draft)
    await stack.documents.send(new TransactWriteCommand({ TransactItems }))
    await runScheduled(stack, 'events-relay')
  },
  'events are delivered, and an endpoint that fails for five days is disabled': async (stack) => {
    const { info } = stack.client
    const store = storeDeliveries({
      dynamodb: info.dynamodb_endpoint,
      kms: info.kms_endpoint,
      table: info.tables.events,
    })
    for (const failingSince of [undefined, 1]) {
      const endpoint = await store.putEndpoint('https://10.0.0.1/', failingSince === undefined ? {} : { failingSince })
      await store.putDelivery(endpoint, '{}', 1000)
    }
    await runScheduled(stack, 'events-deliver')
    await runScheduled(stack, 'billing-mails')
    store.close()
  },
  'the removal of lost factors that is due': async (stack) => {
    await dueRemoval(stack.client)
    await runScheduled(stack, 'factor-resets-run')
  },
}
