import { afterEach, expect, it } from '@jest/globals'
import * as z from 'zod'
import { sampleIssuer, verifiedOrganization } from '../../../../infra/local/samples/sampleSignOn.ts'
import { createEmulator } from '../../../support/emulator.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, local, open } = useStackInBrowser('test/infra/console/organization/signOn')
let opened: OpenedConsole
let organizationId: string

afterEach(() => opened?.close())

/** Opens the page of an organization as its owner. */
async function openPage(organization: string): Promise<void> {
  organizationId = organization
  opened = await open()
  await opened.open(`organizations/${organizationId}/sso`)
  await opened.signIn(local().info.demo.owner)
  await opened.heading('Single sign-on')
}

/** The browser's console names the refusals that this is about. */
async function expectSound(name: string): Promise<void> {
  const refusals = opened.errors.filter((error) => /status of (401|403|404|409|422)/.test(error))
  for (const refusal of refusals) opened.errors.splice(opened.errors.indexOf(refusal), 1)
  await opened.expectSoundEverywhere(name)
}

const field = (label: string) => opened.page.getByLabel(label, { exact: true })
const option = (title: string) => opened.page.getByRole('checkbox', { name: new RegExp(`^${title}`) })
const text = (words: string | RegExp) => opened.page.getByText(words).first().waitFor()
const stored = async () => {
  const token = await local().accessToken('owner')
  const path = `/api/organizations/${organizationId}/sso`
  const { status, body } = await local().send({ method: 'GET', path, token })
  return status === 404 ? undefined : z.looseObject({}).parse(body)
}

describeInBrowser('The single sign-on of an organization', () => {
  it('leads to the domains while none is verified', async () => {
    await openPage(await local().newOrganization())
    await text('Verify a domain first')
    await expectSound('sso-without-domain')
    await opened.page.getByRole('link', { name: 'Go to the domains' }).click()
    await opened.heading('Domains')
  })

  it('is set up, tested, required and deleted', async () => {
    await openPage(await verifiedOrganization(local()))
    const issuer = sampleIssuer(local())
    const { base_url } = local().info
    expect(await field('Redirect URI').inputValue()).toBe(`${base_url}/api/sso/callback`)
    const logout = `${base_url}/api/sso/backchannel-logout/${organizationId}`
    expect(await field('Back-channel logout URI').inputValue()).toBe(logout)
    await expectSound('sso-none')
    await field('Issuer').fill('https://169.254.169.254')
    await field('Client ID').fill('console')
    await field('Client secret').fill('sesame')
    await opened.button('Save').click()
    await text('on a server that the internet can reach')
    await expectSound('sso-refused')
    await field('Issuer').fill(issuer)
    await opened.button('Save').click()
    await opened.said('Saved')
    expect(await field('Client secret').inputValue()).toBe('')
    expect(await stored()).toMatchObject({
      issuer,
      client_id: 'console',
      enforced: false,
      redirect_uri: `${base_url}/api/sso/callback`,
      backchannel_logout_uri: logout,
    })
    await opened.button('Test').click()
    await text('Your provider answers')
    await option('Required').check()
    await opened.button('Save').click()
    await text('You can still sign in without it')
    expect(await stored()).toMatchObject({ enforced: true, break_glass_user_id: local().info.demo.owner.id })
    await expectSound('sso-required')
    const mayStay = opened.page.getByText('Leave it empty to keep the stored secret.')
    await mayStay.waitFor()
    await field('Client ID').fill('another')
    await mayStay.waitFor({ state: 'detached' })
    await opened.button('Save').click()
    await field('Client secret').and(opened.page.locator('[aria-invalid=true]')).waitFor()
    await opened.button('Delete').click()
    await expectSound('sso-delete')
    await opened.button('Delete single sign-on').click()
    await text('Set up single sign-on')
    expect(await stored()).toBeUndefined()
  })

  it('says why a sign-in would fail', async () => {
    await openPage(await verifiedOrganization(local()))
    await field('Issuer').fill(`${local().info.base_url}/_local/nothing`)
    await field('Client ID').fill('console')
    await field('Client secret').fill('sesame')
    await opened.button('Save').click()
    await opened.said('Saved')
    await opened.button('Test').click()
    await text('it does not answer with the metadata of this issuer')
    await expectSound('sso-test-failed')
  })

  it('keeps no secret while the owner signs in again, and asks for it anew', async () => {
    await openPage(await verifiedOrganization(local()))
    await createEmulator(local().info.stripe.api_base).advance(620)
    await field('Issuer').fill(sampleIssuer(local()))
    await field('Client ID').fill('console')
    await field('Client secret').fill('open-sesame')
    await opened.button('Save').click()
    await opened.page.locator('input[type=password]').waitFor()
    await opened.page.locator('input[type=password]').fill(local().info.demo.owner.password)
    await opened.button(/^Sign in$/).click()
    await opened.heading('Single sign-on')
    await text('Enter the client secret again')
    expect(await field('Issuer').inputValue()).toBe(sampleIssuer(local()))
    expect(await opened.page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(
      'open-sesame',
    )
    expect(await stored()).toBeUndefined()
    await expectSound('sso-secret-again')
    await field('Client secret').fill('open-sesame')
    await opened.button('Save').click()
    await opened.said('Saved')
    expect(await stored()).toMatchObject({ client_id: 'console' })
  })

  it('is there in German', async () => {
    await openPage(await verifiedOrganization(local()))
    await field('Language').selectOption('de')
    await opened.heading('Firmenanmeldung')
    await field('Aussteller (Issuer)').fill(sampleIssuer(local()))
    await field('Client-ID').fill('console')
    await field('Client-Geheimnis').fill('sesame')
    await option('Pflicht').check()
    await opened.button('Speichern').click()
    await opened.said('Gespeichert')
    await opened.button('Testen').click()
    await text('Ihr Anbieter antwortet')
    await expectSound('sso-german')
  })
})
