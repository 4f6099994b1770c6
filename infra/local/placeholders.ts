import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { LocalClient } from './localClient.ts'
import { emailChangeToken, newAddress, newPassword, register, resetToken, signUp } from './sampleAccounts.ts'
import { invite } from './sampleInvitation.ts'

const users = z.enum(['owner', 'billing_admin', 'member', 'stranger'])

/** The value of a placeholder by its name. Asked twice, it gives the same value: an event has one organization and one coupon. */
export type Placeholders = (name: string) => Promise<string>

/**
 * The placeholders of one sample event, made on the running stack when they are asked for; `events/README.md` lists them.
 * A name is either in the table below or one of `<user>.access_token`, `<user>.id`, `card.<test card>` and `stripe_event.<type>`.
 */
export function createPlaceholders(client: LocalClient): Placeholders {
  const { info, stripe } = client
  const made = new Map<string, Promise<string>>()
  const value: Placeholders = (name) => {
    const earlier = made.get(name)
    if (earlier !== undefined) return earlier
    const making = make(name)
    made.set(name, making)
    return making
  }

  const named: Record<string, () => Promise<string>> = {
    client_id: async () => info.demo.client_id,
    client_secret: async () => info.demo.client_secret,
    redirect_uri: async () => info.demo.redirect_uri,
    organization_id: async () => info.demo.organization_id,
    other_organization_id: async () => info.demo.other_organization_id,
    unknown_organization_id: async () => randomUUID(),
    new_organization_id: () => client.newOrganization(),
    co_owned_organization_id: () => coOwned(),
    invitation_id: async () => (await invite(client, { organizationId: await value('new_organization_id') })).id,
    invitation_token: async () => (await invite(client, { organizationId: await value('new_organization_id') })).token,
    owner_invitation_token: async () => {
      const organizationId = await value('new_organization_id')
      return (await invite(client, { organizationId, role: 'owner' })).token
    },
    subscribed_organization_id: () => subscribe(['base_ota']),
    new_username: async () => `demo-${randomUUID().slice(0, 8)}`,
    taken_username: async () => 'Demo-Stranger',
    authorization_code: () => client.authorizationCode('owner'),
    used_authorization_code: async () => {
      const code = await value('authorization_code')
      await client.exchange(code)
      return code
    },
    new_email: async () => newAddress(),
    verification_token: async () => (await register(client)).token,
    used_verification_token: async () => {
      const { token } = await register(client)
      await client.send({ method: 'POST', path: '/api/auth/verify', body: { token } })
      return token
    },
    reset_token: async () => resetToken(client, await register(client)),
    email_change_token: async () => emailChangeToken(client, await signUp(client)),
    'new_user.access_token': async () => (await signUp(client)).accessToken,
    'new_user.password': async () => newPassword,
    refresh_token: async () => (await client.signIn('owner')).refresh_token,
    new_coupon: async () => (await stripe.coupons.create({ percent_off: 25, duration: 'once' })).id,
    redeemed_coupon: async () => {
      const coupon = await value('new_coupon')
      await subscribe(['addon_monitoring'], coupon)
      return coupon
    },
  }

  const ownerToken = () => value('owner.access_token')

  async function addCard(organizationId: string, testCard: string): Promise<string> {
    return client.addCard({ token: await ownerToken(), organizationId, testCard })
  }

  /** A new organization in which the billing_admin is an owner too. */
  async function coOwned(): Promise<string> {
    const organization_id = await client.newOrganization()
    const membership = { user_id: info.demo.billing_admin.id, organization_id, role: 'owner' }
    await client.send({ method: 'POST', path: '/_local/memberships', body: membership })
    return organization_id
  }

  /** A new organization that has bought these plans. */
  async function subscribe(product_codes: string[], coupon_code?: string): Promise<string> {
    const organizationId = await client.newOrganization()
    const payment_method_id = await addCard(organizationId, 'pm_card_visa')
    const { status, body } = await client.send({
      method: 'POST',
      path: `/api/billing/checkout?organization_id=${organizationId}`,
      token: await ownerToken(),
      body: { product_codes, payment_method_id, ...(coupon_code && { coupon_code }) },
    })
    if (status !== 201) throw new Error(`checkout answered ${status}: ${JSON.stringify(body)}`)
    return organizationId
  }

  /** The gateway's own text of the last event of this type, after a purchase that ended at once. */
  async function stripeEvent(type: string): Promise<string> {
    const organizationId = await subscribe(['base_ota'])
    for await (const { id, metadata } of stripe.subscriptions.list({ limit: 100 })) {
      if (metadata.organization_id === organizationId) await stripe.subscriptions.cancel(id)
    }
    const { data } = await stripe.events.list({ type, limit: 1 })
    if (data[0] === undefined) throw new Error(`the gateway has no event of the type ${type}`)
    return JSON.stringify(data[0])
  }

  async function make(name: string): Promise<string> {
    const [head = '', ...rest] = name.split('.')
    const tail = rest.join('.')
    if (named[name] !== undefined) return named[name]()
    if (tail === 'access_token') return (await client.signIn(users.parse(head))).access_token
    if (tail === 'id') return info.demo[users.parse(head)].id
    if (head === 'card') return addCard(await value('new_organization_id'), `pm_card_${tail}`)
    if (head === 'stripe_event') return stripeEvent(tail)
    throw new Error(`no placeholder is called {{${name}}}`)
  }

  return value
}
