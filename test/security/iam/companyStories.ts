import * as z from 'zod'
import { emailChangeToken, newEmail, samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { provenDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { Browser } from '../../signIn/provider/providerVisits.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { runScheduled } from './runScheduled.ts'

const WEEK = 7 * 24 * 3600
const received = z.object({ invitations: z.array(z.object({ id: z.string() })) })

/** People with an address of a domain join its organization, are offered it, and decline; then the domain is lost. */
export async function comeByDomain(stack: BillingStack): Promise<void> {
  const { client, emulator } = stack
  const organizationId = await client.newOrganization()
  const domain = await provenDomain(client, organizationId)
  const own = `/api/organizations/${organizationId}/domains`
  const asOwner = async (method: 'POST' | 'PATCH', path: string, body?: object) =>
    client.send({ method, path, token: await client.accessToken('owner'), ...(body && { body }) })
  await asOwner('POST', own, { domain: domain.domain })
  await asOwner('POST', `${own}/${domain.id}/verify`)
  const newMember = () => newEmail().replace('example.com', domain.domain)

  await asOwner('PATCH', `${own}/${domain.id}`, { membership: 'join' })
  await signUp(client, newMember())
  const moving = await signUp(client)
  const confirmation = { token: await emailChangeToken(client, moving, newMember()), password: samplePassword }
  await client.send({ method: 'POST', path: '/api/users/me/email/confirm', body: confirmation })

  await asOwner('PATCH', `${own}/${domain.id}`, { membership: 'offer' })
  const invitations = '/api/users/me/invitations'
  for (const answer of ['accept', 'decline']) {
    const { accessToken: token } = await signUp(client, newMember())
    const { body } = await client.send({ method: 'GET', path: invitations, token })
    for (const { id } of received.parse(body).invitations)
      await client.send({ method: 'POST', path: `${invitations}/${id}/${answer}`, token })
  }

  await emulator.advance(WEEK + 1)
  await runScheduled(stack, 'domains-check')
  const noRecord = { name: domain.txt_name, type: 'TXT', values: [] }
  await client.send({ method: 'POST', path: '/_local/dns', body: noRecord })
  for (const _ of ['missing', 'missing', 'lost']) {
    await emulator.advance(WEEK + 1)
    await runScheduled(stack, 'domains-check')
  }
}

/** A newcomer gets an account; then a user with a second factor connects somebody whose address the provider does not vouch for. */
export async function comeByProvider({ client }: BillingStack): Promise<void> {
  const device = '/api/device'
  const newcomer = new Browser(client.info.base_url)
  await newcomer.signInAs({ subject: 'newcomer' }, await newcomer.get(device))

  const connect = '/api/sso/callback'
  const ada = await enrollFactors(client)
  const visitor = new Browser(client.info.base_url)
  await visitor.signInAs({ subject: 'unverified' }, await visitor.get(device))
  const submit = async (fields: Record<string, string>) => visitor.submit(connect, await visitor.get(connect), fields)
  await submit({ action: 'login', email: ada.email, password: samplePassword })
  await submit({ action: 'second_factor', factor: 'totp', proof: await ada.code() })
  await submit({ action: 'connect' })
}
