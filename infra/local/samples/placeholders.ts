import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { productAt } from '../../data/catalog.ts'
import type { LocalClient } from '../localClient.ts'
import {
  emailChangeToken,
  newEmail,
  register,
  resetToken,
  samplePassword,
  sessionId,
  signUp,
} from './sampleAccounts.ts'
import { apiClient, serviceToken } from './sampleApiClient.ts'
import { newDomain, provenDomain } from './sampleDomains.ts'
import { invite, inviteStranger, receivedInvitation } from './sampleInvitation.ts'
import { invoicedOrganization, openInvoiceOrganization, unaddressedOrganization } from './sampleInvoices.ts'
import { beginSampleConnection, beginSampleSignIn } from './sampleSignIn.ts'
import { sampleIssuer, sampleLogoutToken, signOnOrganization, verifiedOrganization } from './sampleSignOn.ts'
import { webhookDelivery, webhookEndpoint, webhookUrl } from './sampleWebhooks.ts'

const users = z.enum(['owner', 'billing_admin', 'member', 'stranger'])

/** Returns the value of a placeholder. Repeated calls return the same value, so that an event has a single organization and coupon. */
type Placeholders = (name: string) => Promise<string>

/**
 * The placeholders of a sample; `events/README.md` explains some. Creates a value on the running stack when it is first used.
 * A name is either in the table below or `<user>.access_token`, `<user>.id`, `card.<test card>`, `incomplete_card.<test card>` or `stripe_event.<type>`.
 */
export function createPlaceholders(client: LocalClient): Placeholders {
  const { info, stripe } = client
  const values = new Map<string, Promise<string>>()
  const value: Placeholders = (name) => {
    const earlier = values.get(name)
    if (earlier !== undefined) return earlier
    const pending = create(name)
    values.set(name, pending)
    return pending
  }

  const named: Record<string, () => Promise<string>> = {
    client_id: async () => info.demo.client_id,
    client_secret: async () => info.demo.client_secret,
    redirect_uri: async () => info.demo.redirect_uri,
    organization_id: async () => info.demo.organization_id,
    other_organization_id: async () => info.demo.other_organization_id,
    unknown_organization_id: async () => randomUUID(),
    pending_sign_in: () => beginSampleSignIn(client.info),
    provider_sign_in: () => beginSampleConnection(client.info),
    new_organization_id: () => client.newOrganization(),
    co_owned_organization_id: () => coOwned(),
    // A new address each time: an address gets at most ten invitations, and a bench needs more.
    invitation_id: async () => {
      const organizationId = await value('new_organization_id')
      return (await invite(client, { organizationId, email: newEmail() })).id
    },
    invitation_token: async () =>
      (await inviteStranger(client, { organizationId: await value('new_organization_id') })).token,
    received_invitation_id: async () => receivedInvitation(client, await value('new_organization_id')),
    newcomer_invitation_token: async () => {
      const organizationId = await value('new_organization_id')
      return (await invite(client, { organizationId, email: newEmail() })).token
    },
    owner_invitation_token: async () => {
      const organizationId = await value('new_organization_id')
      return (await inviteStranger(client, { organizationId, role: 'owner' })).token
    },
    api_client_id: async () => (await apiClient(client, await value('new_organization_id'))).id,
    'api_client.client_id': async () => (await value('api_client.credentials')).split(' ')[0] ?? '',
    'api_client.client_secret': async () => (await value('api_client.credentials')).split(' ')[1] ?? '',
    'api_client.credentials': async () => {
      const { client_id, client_secret } = await apiClient(client, await value('new_organization_id'))
      return `${client_id} ${client_secret}`
    },
    new_domain: async () => newDomain(),
    domain_id: async () => (await provenDomain(client, await value('new_organization_id'))).id,
    verified_organization_id: () => verifiedOrganization(client),
    sso_organization_id: () => signOnOrganization(client),
    sso_issuer: async () => sampleIssuer(client),
    logout_token: () => sampleLogoutToken(client),
    webhook_url: async () => webhookUrl,
    webhook_endpoint_id: async () => (await webhookEndpoint(client, await value('new_organization_id'))).id,
    webhook_delivery_id: async () =>
      webhookDelivery(client, await value('new_organization_id'), await value('webhook_endpoint_id')),
    'service.access_token': () => serviceToken(client),
    subscribed_organization_id: () => subscribe(1),
    scheduled_organization_id: () => subscribe(1).then((id) => canceled(id, { atPeriodEnd: true })),
    ended_organization_id: () => subscribe(1).then((id) => canceled(id, { atPeriodEnd: false })),
    deleting_organization_id: () => deleting(),
    two_cards_organization_id: async () => {
      const organizationId = await value('new_organization_id')
      await addCard(organizationId, 'pm_card_visa')
      await addCard(organizationId, 'pm_card_mastercard')
      return organizationId
    },
    default_card: async () => {
      const path = `/api/billing/payment-methods?organization_id=${await value('subscribed_organization_id')}`
      const { body } = await client.send({ method: 'GET', path, token: await ownerToken() })
      const { payment_methods } = z.object({ payment_methods: z.array(z.object({ id: z.string() })) }).parse(body)
      return payment_methods[0]?.id ?? ''
    },
    invoice: async () => {
      const path = `/api/billing/invoices?organization_id=${await value('subscribed_organization_id')}`
      const { body } = await client.send({ method: 'GET', path, token: await ownerToken() })
      const { invoices } = z.object({ invoices: z.array(z.object({ id: z.string() })) }).parse(body)
      return invoices[0]?.id ?? ''
    },
    unaddressed_organization_id: () => unaddressedOrganization(client),
    invoiced_organization_id: () => invoicedOrganization(client),
    open_invoice_organization_id: () => openInvoiceOrganization(client),
    incomplete_organization_id: () => subscribe(1, { testCard: 'authenticationRequired' }),
    new_username: async () => `demo-${randomUUID().slice(0, 8)}`,
    taken_username: async () => 'Demo-Stranger',
    authorization_code: () => client.authorizationCode('owner'),
    openid_access_token: async () => {
      const code = await client.authorizationCode('owner', 'openid profile email')
      return (await client.exchange(code)).access_token
    },
    used_authorization_code: async () => {
      const code = await value('authorization_code')
      await client.exchange(code)
      return code
    },
    new_email: async () => newEmail(),
    unverified_email: async () => (await register(client)).email,
    verification_token: async () => (await register(client)).token,
    used_verification_token: async () => {
      const { token } = await register(client)
      await client.send({ method: 'POST', path: '/api/auth/verify', body: { token, password: samplePassword } })
      return token
    },
    reset_token: async () => resetToken(client, await register(client)),
    email_change_token: async () => emailChangeToken(client, await signUp(client)),
    'new_user.access_token': async () => (await signUp(client)).accessToken,
    'new_user.session_id': async () => sessionId(client, await value('new_user.access_token')),
    'new_user.password': async () => samplePassword,
    refresh_token: async () => (await client.signIn('owner')).refresh_token,
    new_coupon: async () => (await stripe.coupons.create({ percent_off: 25, duration: 'once' })).id,
    redeemed_coupon: async () => {
      const coupon = await value('new_coupon')
      await subscribe(2, { coupon })
      return coupon
    },
  }

  const ownerToken = () => value('owner.access_token')

  async function addCard(organizationId: string, testCard: string): Promise<string> {
    return client.addCard({ token: await ownerToken(), organizationId, testCard })
  }

  /** Creates an organization with two owners, the demo's owner and its billing_admin. Returns its id. */
  async function coOwned(): Promise<string> {
    const organization_id = await client.newOrganization()
    const membership = { user_id: info.demo.billing_admin.id, organization_id, role: 'owner' }
    await client.send({ method: 'POST', path: '/_local/memberships', body: membership })
    return organization_id
  }

  /** Creates an organization and requests its deletion. Returns its id. */
  async function deleting(): Promise<string> {
    const organizationId = await client.newOrganization()
    await client.send({ method: 'DELETE', path: `/api/organizations/${organizationId}`, token: await ownerToken() })
    return organizationId
  }

  /** Creates an organization and buys the product at this position of the catalog for it. Returns its id. */
  async function subscribe(
    position: number,
    { coupon, testCard = 'visa' }: { coupon?: string; testCard?: string } = {},
  ): Promise<string> {
    const organizationId = await client.newOrganization()
    const payment_method_id = await addCard(organizationId, `pm_card_${testCard}`)
    const { status, body } = await client.send({
      method: 'POST',
      path: `/api/billing/checkout?organization_id=${organizationId}`,
      token: await ownerToken(),
      body: {
        product_codes: [productAt(position).planCode],
        payment_method_id,
        ...(coupon && { coupon_code: coupon }),
      },
    })
    if (status !== 201) throw new Error(`checkout answered ${status}: ${JSON.stringify(body)}`)
    // The audit log has the first card's change only when the webhook is delivered.
    await client.deliverWebhooks()
    return organizationId
  }

  /** Cancels an organization's first product. Returns the organization's id. */
  async function canceled(organizationId: string, { atPeriodEnd }: { atPeriodEnd: boolean }): Promise<string> {
    const path = `/api/billing/cancel?organization_id=${organizationId}`
    const body = { product: productAt(1).product, at_period_end: atPeriodEnd }
    await client.send({ method: 'POST', path, token: await ownerToken(), body })
    return organizationId
  }

  /** Buys a plan, cancels it at the gateway, and returns the JSON of the newest event of this type. */
  async function stripeEvent(type: string): Promise<string> {
    const organizationId = await subscribe(1)
    for await (const { id, metadata } of stripe.subscriptions.list({ limit: 100 })) {
      if (metadata.organization_id === organizationId) await stripe.subscriptions.cancel(id)
    }
    const { data } = await stripe.events.list({ type, limit: 1 })
    if (data[0] === undefined) throw new Error(`the gateway has no event of the type ${type}`)
    return JSON.stringify(data[0])
  }

  async function create(name: string): Promise<string> {
    const [head = '', ...rest] = name.split('.')
    const tail = rest.join('.')
    if (named[name] !== undefined) return named[name]()
    if (tail === 'access_token') return client.accessToken(users.parse(head))
    if (tail === 'id') return info.demo[users.parse(head)].id
    if (head === 'card') return addCard(await value('new_organization_id'), `pm_card_${tail}`)
    if (head === 'incomplete_card') return addCard(await value('incomplete_organization_id'), `pm_card_${tail}`)
    if (head === 'stripe_event') return stripeEvent(tail)
    throw new Error(`unknown placeholder {{${name}}}`)
  }

  return value
}
