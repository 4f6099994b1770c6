import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as z from 'zod'
import { inviteStranger } from '../../../../infra/local/samples/sampleInvitation.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/organization/invitations')
let guest: OpenedConsole
let accepted: string
let declined: string
beforeAll(async () => {
  if (!runs) return
  accepted = await organizationOf('Harbor Works')
  declined = await organizationOf('Lighthouse Ltd')
  await inviteStranger(local(), { organizationId: accepted, role: 'billing_admin' })
  await inviteStranger(local(), { organizationId: declined, role: 'owner' })
  guest = await open()
})
afterAll(() => guest?.close())

/** A new organization of the demo's owner. */
async function organizationOf(name: string): Promise<string> {
  const token = (await local().signIn('owner')).access_token
  const { body } = await local().send({ method: 'POST', path: '/api/organizations', token, body: { name } })
  return z.object({ id: z.string() }).parse(body).id
}

const section = () => guest.page.getByRole('region', { name: /^(Invitations|Einladungen)/ })

describeInBrowser('The invitations of a signed-in person in the console', () => {
  it('are announced on every page, in the language of the person', async () => {
    await guest.open('profile')
    await guest.signIn(local().info.demo.stranger)
    await guest.page.getByText('2 organizations invite you.').waitFor()
    await guest.expectSoundEverywhere('invitations-notice')
    await guest.page.getByLabel('Language').selectOption('Deutsch')
    await guest.page.getByText('2 Organisationen laden Sie ein.').waitFor()
    await guest.page.getByRole('link', { name: 'Ansehen' }).click()
    await section().getByText('Ihre Rolle: Abrechnungsverwaltung').waitFor()
    await guest.expectSoundEverywhere('invitations-german')
    await guest.page.getByLabel('Sprache').selectOption('English')
    await section().getByText('Your role: Billing admin').waitFor()
    await guest.expectSoundEverywhere('invitations')
  })

  it('are declined with a click', async () => {
    await guest.button('Decline the invitation of Lighthouse Ltd').click()
    await guest.said('You declined the invitation of Lighthouse Ltd')
    await guest.row('Lighthouse Ltd').waitFor({ state: 'detached' })
    await guest.row('Harbor Works').waitFor()
  })

  it('are accepted with a click, which leads to the organization', async () => {
    await guest.button('Accept the invitation of Harbor Works').click()
    await guest.said('You are now a member of Harbor Works')
    await guest.heading('Overview')
    expect(new URL(guest.page.url()).pathname).toContain(accepted)
    await guest.page.getByText('invites you').waitFor({ state: 'detached' })
    await guest.goTo('Members')
    await guest.row(local().info.demo.stranger.username).waitFor()
  })

  it('say what became of one that was withdrawn meanwhile', async () => {
    const organizationId = await organizationOf('Quay')
    const { id } = await inviteStranger(local(), { organizationId })
    await guest.open()
    await guest.row('Quay').waitFor()
    const token = (await local().signIn('owner')).access_token
    await local().send({ method: 'DELETE', path: `/api/organizations/${organizationId}/invitations/${id}`, token })
    await guest.button('Accept the invitation of Quay').click()
    await guest.page.getByText('This invitation no longer exists.').waitFor()
    guest.errors.splice(0)
  })
})
