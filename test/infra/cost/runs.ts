import { TOTP } from 'otpauth'
import * as z from 'zod'
import { findRow } from '../../../infra/local/http/router.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import type { ApiRequest, LocalClient } from '../../../infra/local/localClient.ts'
import { samplePassword, sessionId, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { apiClient, serviceToken } from '../../../infra/local/samples/sampleApiClient.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { deliver, latestEvent } from '../../billing/events/webhookRequests.ts'
import { customerOf, subscribedOrganization } from '../../billing/gatewayView.ts'
import { queryOf, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { browserAt, secretIn } from '../../security/iam/securityStory.ts'
import { enrollFactors, enrollPasskey, nowOf } from '../../signIn/secondFactor/enrollFactors.ts'
import { show } from '../../signIn/secondFactor/people.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { deviceRuns } from './deviceRuns.ts'

type Run = () => Promise<unknown>

const fourProducts = ['base_ota', 'addon_monitoring', 'addon_crash_reporting', 'addon_remote_ssh']

async function checkoutOf(stack: BillingStack, codes: readonly string[]): Promise<Run> {
  const { organizationId, card } = await stack.organizationWithCard()
  const token = await stack.token()
  return () => stack.checkoutWith(token, organizationId, codes, { card })
}

/** A run with the event of the function's `served` sample, which must be answered as the sample says. */
async function sampled(stack: BillingStack, name: string): Promise<Run> {
  const row = findRow(name)
  if (row === undefined) throw new Error(`No row of ${name}`)
  const { event, expectedStatus } = await fillSampleEvent(stack.client, name)
  return async () => {
    const { statusCode } = answered.parse(await invokeFunction(row, event))
    if (statusCode !== expectedStatus) throw new Error(`${name} answered ${statusCode}, not ${expectedStatus}`)
  }
}

/** The same once it has run: what was due is done. */
async function sampledAgain(stack: BillingStack, name: string): Promise<Run> {
  await (await sampled(stack, name))()
  return sampled(stack, name)
}

/** A schedule's function answers without a status. */
const answered = z.object({ statusCode: z.int().default(200) })

/** The event of a subscription that was changed at Stripe. */
async function changedSubscription(stack: BillingStack) {
  const { subscriptionId } = await subscribedOrganization(stack)
  await stack.emulator.webhooks('hold')
  await stack.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  // Stripe's times are whole seconds: an event within two seconds of its projection is fetched again.
  await stack.emulator.advance(10)
  return latestEvent(stack, 'customer.subscription.updated', subscriptionId)
}

/** The event of an invoice that was sent after its hour as a draft. */
async function sentInvoice(stack: BillingStack) {
  const organizationId = await invoicedOrganization(stack.client)
  await stack.checkout(organizationId, ['base_ota'])
  await stack.emulator.flush()
  await stack.emulator.webhooks('hold')
  await stack.emulator.advance(3610)
  const { data } = await stack.stripe.invoices.list({ status: 'open', limit: 1 })
  return latestEvent(stack, 'invoice.finalized', data[0]?.id ?? '')
}

/** The details of a subscribed organization, read once: prices are kept for five minutes. */
async function readDetails(stack: BillingStack): Promise<string> {
  const { organizationId } = await subscribedOrganization(stack)
  const path = `/api/billing/details?organization_id=${organizationId}`
  for (const method of ['GET', 'PATCH'] as const) {
    await stack.client.send({ method, path, token: await stack.token(), ...(method === 'PATCH' && { body: {} }) })
  }
  return path
}

/** A request of the demo's owner, who signs in before it is measured. */
async function asOwner(
  { client }: BillingStack,
  method: ApiRequest['method'],
  path: string,
  body?: object,
): Promise<Run> {
  const token = await client.accessToken('owner')
  return () => client.send({ method, path, token, ...(body && { body }) })
}

/** Reads what a subscribed organization has. */
async function listOf(stack: BillingStack, resource: string): Promise<Run> {
  const { organizationId } = await subscribedOrganization(stack)
  return asOwner(stack, 'GET', `/api/billing/${resource}?organization_id=${organizationId}`)
}

/** A new user's browser at the pages of authenticators. */
async function atSecurityPages(client: LocalClient) {
  const browser = browserAt(client.info.base_url)
  const { email } = await signUp(client)
  await browser.send({ action: 'login', email, password: samplePassword })
  return { browser, protection: await browser.protection() }
}

/** For each operation of `infra/cost/calls.ts`: prepares it, and returns the run to measure. */
export const runs: Readonly<Record<string, (stack: BillingStack) => Promise<Run>>> = {
  'checkout, 1 line': (stack) => checkoutOf(stack, ['base_ota']),
  'checkout, 4 lines': (stack) => checkoutOf(stack, fourProducts),
  'checkout of a first buyer': async (stack) => {
    const organizationId = await stack.client.newOrganization()
    const { code } = await stack.newCoupon({ percent_off: 100 })
    const token = await stack.token()
    return () => stack.checkoutWith(token, organizationId, ['base_ota'], { coupon: code })
  },
  'checkout by invoice, 1 line': async (stack) => {
    const organizationId = await invoicedOrganization(stack.client)
    const token = await stack.token()
    return () => stack.checkoutWith(token, organizationId, ['base_ota'], {})
  },
  'checkout preview, 1 line': async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    const token = await stack.token()
    const path = `/api/billing/checkout/preview?organization_id=${organizationId}`
    const preview = () => stack.client.send({ method: 'POST', path, token, body: { product_codes: ['base_ota'] } })
    // Prices are kept for five minutes.
    await preview()
    await stack.emulator.advance(61)
    return preview
  },
  'setup intent': async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    return asOwner(stack, 'POST', `/api/billing/card-gateway/setup-intent?organization_id=${organizationId}`)
  },
  'cancel at period end': async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    return asOwner(stack, 'POST', `/api/billing/cancel?organization_id=${organizationId}`, { product: 'ota' })
  },
  resume: async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    await stack.cancel(organizationId, { product: 'ota' })
    // The event of the cancellation would be logged beside the function.
    await stack.emulator.flush()
    return asOwner(stack, 'POST', `/api/billing/subscriptions/ota/resume?organization_id=${organizationId}`)
  },
  pay: async (stack) => {
    const { organizationId } = await stack.organizationWithCard('pm_card_authenticationRequired')
    await stack.checkout(organizationId, ['base_ota'])
    const payment_method_id = await stack.addCard(organizationId, 'pm_card_visa')
    return asOwner(stack, 'POST', `/api/billing/subscriptions/ota/pay?organization_id=${organizationId}`, {
      payment_method_id,
    })
  },
  'list of cards': async (stack) => {
    const { organizationId } = await stack.organizationWithCard()
    return asOwner(stack, 'GET', `/api/billing/payment-methods?organization_id=${organizationId}`)
  },
  card: async (stack) => {
    const { organizationId, card } = await stack.organizationWithCard()
    return asOwner(stack, 'GET', `/api/billing/payment-methods/${card}?organization_id=${organizationId}`)
  },
  'default card': async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    const card = await stack.addCard(organizationId, 'pm_card_mastercard')
    return asOwner(stack, 'POST', `/api/billing/payment-methods/${card}/default?organization_id=${organizationId}`)
  },
  'removal of a card': async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    const card = await stack.addCard(organizationId, 'pm_card_mastercard')
    return asOwner(stack, 'DELETE', `/api/billing/payment-methods/${card}?organization_id=${organizationId}`)
  },
  entitlements: (stack) => listOf(stack, 'entitlements'),
  'poll of entitlements, 304': async ({ client }) => {
    const token = await serviceToken(client)
    const path = `/api/billing/entitlements?organization_id=${client.info.demo.organization_id}`
    const { headers } = await client.sendForHeaders({ method: 'GET', path, token })
    const known = { authorization: `Bearer ${token}`, 'if-none-match': String(headers.etag) }
    return async () => {
      const { status } = await fetch(`${client.info.base_url}${path}`, { headers: known })
      if (status !== 304) throw new Error(`The poll answered ${status}`)
    }
  },
  products: async (stack) => {
    const token = await stack.token()
    const read = () => stack.client.send({ method: 'GET', path: '/api/billing/products', token })
    // Prices are kept for five minutes.
    await read()
    await stack.emulator.advance(61)
    return read
  },
  subscriptions: (stack) => listOf(stack, 'subscriptions'),
  subscription: async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    return asOwner(stack, 'GET', `/api/billing/subscriptions/ota?organization_id=${organizationId}`)
  },
  invoices: (stack) => listOf(stack, 'invoices'),
  invoice: async (stack) => {
    const { organizationId } = await subscribedOrganization(stack)
    const { data } = await stack.stripe.invoices.list({ customer: await customerOf(stack, organizationId), limit: 1 })
    return asOwner(stack, 'GET', `/api/billing/invoices/${data[0]?.id}?organization_id=${organizationId}`)
  },
  'billing details': async (stack) => asOwner(stack, 'GET', await readDetails(stack)),
  'change of billing details': async (stack) =>
    asOwner(stack, 'PATCH', await readDetails(stack), { name: 'Example GmbH' }),
  'token for a code': async (stack) => {
    const code = await stack.client.authorizationCode('owner')
    return () => stack.client.exchange(code)
  },
  'tokens for a code, with an id_token': async (stack) => {
    const code = await stack.client.authorizationCode('owner', 'openid')
    return () => stack.client.exchange(code)
  },
  'token of an API client': async (stack) => {
    const { client_id, client_secret } = await apiClient(stack.client, await stack.client.newOrganization())
    const body = { client_id, client_secret, grant_type: 'client_credentials' }
    return () => stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
  },
  'token refresh': async (stack) => {
    const { client_id, client_secret } = stack.client.info.demo
    const { refresh_token } = await stack.client.signIn('owner')
    const body = { client_id, client_secret, grant_type: 'refresh_token', refresh_token }
    return () => stack.client.send({ method: 'POST', path: '/api/oauth/token', body })
  },
  sessions: async (stack) => {
    const { accessToken: token } = await signUp(stack.client)
    return () => stack.client.send({ method: 'GET', path: '/api/users/me/sessions', token })
  },
  'end of a session': async (stack) => {
    const { accessToken: token } = await signUp(stack.client)
    const path = `/api/users/me/sessions/${await sessionId(stack.client, token)}`
    return () => stack.client.send({ method: 'DELETE', path, token })
  },
  'users/me': (stack) => asOwner(stack, 'GET', '/api/users/me'),
  'webhook, a change': async (stack) => {
    const event = await changedSubscription(stack)
    return () => deliver(stack, event)
  },
  'webhook, an invoice was sent': async (stack) => {
    const event = await sentInvoice(stack)
    return () => deliver(stack, event)
  },
  'webhook, delivered again': async (stack) => {
    const event = await changedSubscription(stack)
    await deliver(stack, event)
    return () => deliver(stack, event)
  },
  'sign-in page': async ({ client }) => {
    const { client_id, redirect_uri } = client.info.demo
    const query = queryOf({ clientId: client_id }, { redirect_uri })
    return () => new Visitor(client.info.base_url).get(query)
  },
  'start at a provider': (stack) => sampled(stack, 'sso-start'),
  'sign-in with a password': (stack) => sampled(stack, 'oauth-authorize-submit'),
  'second factor of an app': async ({ client }) => {
    const { email, code } = await enrollFactors(client)
    const { client_id, redirect_uri } = client.info.demo
    const visitor = new Visitor(client.info.base_url)
    const query = queryOf({ clientId: client_id }, { redirect_uri })
    await signInAt(visitor, query, email, samplePassword)
    const page = await visitor.get(query)
    const proof = await code()
    return () => show({ visitor, query, page }, 'totp', proof)
  },
  'key for an app': async ({ client }) => {
    const { browser, protection } = await atSecurityPages(client)
    return () => browser.visit('', { ...protection, action: 'begin_totp' })
  },
  'set-up of an app': async ({ client }) => {
    const { browser, protection } = await atSecurityPages(client)
    const secret = secretIn(await browser.visit('', { ...protection, action: 'begin_totp' }))
    const code = new TOTP({ secret }).generate({ timestamp: await nowOf(client) })
    return () => browser.visit('', { ...protection, action: 'confirm_totp', code })
  },
  'sign-in with a passkey': async ({ client }) => {
    const authenticator = await enrollPasskey(client)
    const { base_url, demo } = client.info
    const visitor = new Visitor(base_url)
    const query = queryOf({ clientId: demo.client_id }, { redirect_uri: demo.redirect_uri })
    const page = await visitor.get(query)
    const response = await fetch(`${base_url}/api/auth/passkey/options`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...visitor.cookieHeader },
      body: JSON.stringify({ purpose: 'sign_in' }),
    })
    const { challenge } = z.looseObject({ challenge: z.string() }).parse(await response.json())
    const proof = JSON.stringify(authenticator.signIn({ challenge }))
    return async () => {
      const { status } = await visitor.submit(query, page, 'passkey', { fields: { proof } })
      if (status !== 303) throw new Error(`The passkey was answered ${status}`)
    }
  },
  'options for a passkey': (stack) => sampled(stack, 'auth-passkey-options'),
  userinfo: (stack) => sampled(stack, 'oauth-userinfo'),
  consents: (stack) => sampled(stack, 'users-me-consents'),
  'withdrawal of a consent': (stack) => sampled(stack, 'users-me-consent-withdraw'),
  'export of an account': (stack) => sampled(stack, 'users-me-export'),
  'deletion of an account': (stack) => sampled(stack, 'users-me-delete'),
  'deletion of an organization': (stack) => sampled(stack, 'organizations-delete'),
  'restoring of an organization': (stack) => sampled(stack, 'organizations-restore'),
  'list of API clients': (stack) => sampled(stack, 'organizations-api-clients'),
  'creation of an API client': (stack) => sampled(stack, 'organizations-api-client-create'),
  'rotation of a secret of an API client': (stack) => sampled(stack, 'organizations-api-client-rotate'),
  'list of webhook endpoints': (stack) => sampled(stack, 'webhook-endpoints'),
  'creation of a webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint-create'),
  'webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint'),
  'change of a webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint-update'),
  'rotation of a secret of a webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint-rotate'),
  'test of a webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint-test'),
  'list of events': (stack) => sampled(stack, 'organizations-events'),
  'list of webhook deliveries': (stack) => sampled(stack, 'webhook-deliveries'),
  'webhook delivery again': (stack) => sampled(stack, 'webhook-delivery-resend'),
  'list of domains': (stack) => sampled(stack, 'company-domains'),
  'claim of a domain': (stack) => sampled(stack, 'company-domain-create'),
  'verification of a domain': (stack) => sampled(stack, 'company-domain-verify'),
  'change of a domain': (stack) => sampled(stack, 'company-domain-update'),
  'deletion of a domain': (stack) => sampled(stack, 'company-domain-delete'),
  'single sign-on': (stack) => sampled(stack, 'company-sso'),
  'change of a single sign-on': (stack) => sampled(stack, 'company-sso-save'),
  'deletion of a single sign-on': (stack) => sampled(stack, 'company-sso-delete'),
  'test of a single sign-on': (stack) => sampled(stack, 'company-sso-test'),
  'deletion of a webhook endpoint': (stack) => sampled(stack, 'webhook-endpoint-delete'),
  'deletion of an API client': (stack) => sampled(stack, 'organizations-api-client-delete'),
  'erasure with nothing due': (stack) => sampled(stack, 'deletions-erase'),
  'removal of factors with nothing due': (stack) => sampled(stack, 'factor-resets-run'),
  'check of domains with nothing due': (stack) => sampled(stack, 'domains-check'),
  'sweep with nothing to do': (stack) => sampled(stack, 'billing-sweep'),
  'relay of events with nothing due': (stack) => sampledAgain(stack, 'events-relay'),
  'relay of a purchase': async (stack) => {
    await (await sampled(stack, 'events-relay'))()
    await subscribedOrganization(stack)
    return sampled(stack, 'events-relay')
  },
  'deliveries with nothing due': (stack) => sampled(stack, 'events-deliver'),
  'mails about money with nothing due': (stack) => sampledAgain(stack, 'billing-mails'),
  'mail about money': async (stack) => {
    // Other measurements have left theirs.
    await (await sampled(stack, 'billing-mails'))()
    await subscribedOrganization(stack)
    // Prices are kept for five minutes.
    await stack.emulator.advance(301)
    return sampled(stack, 'billing-mails')
  },
  'reconciliation that is not due': (stack) => sampledAgain(stack, 'billing-reconcile'),
  'reconciliation of 1,000 subscriptions': async (stack) => {
    await subscribedOrganization(stack)
    await stack.emulator.advance(24 * 3600)
    return sampled(stack, 'billing-reconcile')
  },
  ...deviceRuns,
}
