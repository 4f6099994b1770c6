import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import type { OpenedConsole } from '../../infra/console/openConsole.ts'
import { useStackInBrowser } from '../../infra/console/useStackInBrowser.ts'
import { startOidcProvider } from '../../support/browser/useOidcProvider.ts'
import {
  type Company,
  giveAddress,
  givePassword,
  goToProvider,
  keepLocal,
  newCompany,
  openSignInPage,
  proveDomain,
  registerSignOn,
  signInAtOidcProvider,
  type Worker,
} from './companyWalk.ts'

const file = 'test/signIn/provider/companyStory'
const { describeInBrowser, runs, local, open } = useStackInBrowser(file, { COMPANY_SIGN_IN: 'on' })
const client = { clientId: 'service', clientSecret: 'secret of the service' }
let company: Company
let owner: OpenedConsole
let member: OpenedConsole
let provider: Awaited<ReturnType<typeof startOidcProvider>> | undefined

beforeAll(async () => {
  if (runs) company = await newCompany(local())
})
afterAll(async () => {
  for (const opened of [owner, member]) await opened?.close()
  provider?.close()
})

/** The console of an organization in a browser that is at the sign-in page. */
async function openAtSignIn(organizationId: string, locale?: string): Promise<OpenedConsole> {
  const opened = await open(undefined, locale)
  await keepLocal(opened.page)
  await openSignInPage(opened.page, local(), organizationId)
  return opened
}

/** The same after a sign-in with address and password. */
async function openByPassword(organizationId: string, worker: Worker): Promise<OpenedConsole> {
  const opened = await openAtSignIn(organizationId)
  await giveAddress(opened.page, worker.email)
  await givePassword(opened.page, worker)
  return opened
}

const tokenOf = async (opened: OpenedConsole) => decodeJwt(await opened.accessToken())
const link = ({ page }: OpenedConsole, name: string) => page.getByRole('link', { name, exact: true })

describeInBrowser('A company whose provider is oidc-provider', () => {
  it('verifies its domain, and registers and tests its provider in the console', async () => {
    const { organizationId } = company
    owner = await openByPassword(`${organizationId}/domains`, company.owner)
    await owner.heading('Domains')
    await proveDomain(owner.page, local(), company)
    await owner.page.getByLabel(`People with an address at ${company.domain}`).selectOption('join')
    await owner.said('Saved')
    await owner.open(`organizations/${organizationId}/sso`)
    const shownAt = (label: string) => owner.page.getByLabel(label, { exact: true }).inputValue()
    const redirectUri = await shownAt('Redirect URI')
    provider = await startOidcProvider({ ...client, redirectUri, logoutUri: await shownAt('Back-channel logout URI') })
    await registerSignOn(owner.page, { ...client, issuer: provider.issuer })
    await owner.page.getByText('Members with an address of your domain may sign in with it.').waitFor()
  })

  it('asks a member who has an account for its password the first time, and signs in there', async () => {
    const { organizationId, name } = company
    member = await openAtSignIn(organizationId)
    await member.expectSoundEverywhere('address')
    await giveAddress(member.page, company.member.email)
    await member.expectSoundEverywhere('ways')
    await link(member, `Continue with ${name}`).click()
    await signInAtOidcProvider(member.page, company.member.email)
    const reason = member.page.getByText(`To connect ${name}, sign in to your account once more by another way.`)
    await reason.waitFor()
    await member.expectSoundEverywhere('first-link')
    await member.button('Continue').click()
    await member.page.locator('input[type=password]').waitFor()
    await reason.waitFor()
    await member.expectSoundEverywhere('first-link-password')
    await givePassword(member.page, company.member)
    await member.heading(`Connect ${name}?`)
    await member.expectSoundEverywhere('connect')
    await member.button('Connect').click()
    await member.heading('Overview')
    const claims = { sub: company.member.id, sso: organizationId, acr: 'aal1' }
    expect(await tokenOf(member)).toMatchObject(claims)
    const again = await openAtSignIn(organizationId)
    await goToProvider(again.page, company, company.member.email)
    await signInAtOidcProvider(again.page, company.member.email)
    await again.heading('Overview')
    expect(await tokenOf(again)).toMatchObject(claims)
    await again.close()
  })

  it('makes an account for a person without one, who joins by the domain', async () => {
    const newcomer = await openAtSignIn(company.organizationId)
    const email = `newcomer@${company.domain}`
    await goToProvider(newcomer.page, company, email)
    await signInAtOidcProvider(newcomer.page, email)
    await newcomer.heading('Overview')
    expect(await tokenOf(newcomer)).toMatchObject({ sso: company.organizationId, acr: 'aal1' })
    await newcomer.close()
  })

  // [threat 115.32]
  it('is the only way into the organization once it is required, and into no other', async () => {
    const { organizationId, name, otherOrganizationId } = company
    await owner.page.getByRole('checkbox', { name: /^Required/ }).check()
    await owner.button('Save').click()
    await owner.page.getByText('You can still sign in without it').waitFor()
    const colleague = await openByPassword(organizationId, company.member)
    await colleague.heading('Sign in with your company')
    await colleague.page.getByText('This organization asks its members to sign in with its own provider.').waitFor()
    colleague.forgetRefusals(401)
    expect(await tokenOf(colleague)).not.toHaveProperty('sso')
    await colleague.expectSoundEverywhere('refused')
    await colleague.open(`organizations/${otherOrganizationId}`)
    await colleague.heading('Overview')
    await colleague.open(`organizations/${organizationId}`)
    await colleague.heading('Sign in with your company')
    await colleague.button('Continue').click()
    await colleague.page.getByText(`${name} asks its members to sign in with its own provider`).waitFor()
    colleague.forgetRefusals(401)
    await colleague.expectSoundEverywhere('required')
    await link(colleague, `Continue with ${name}`).click()
    await signInAtOidcProvider(colleague.page, company.member.email)
    await colleague.heading('Overview')
    await colleague.close()
    const breakGlass = await openByPassword(organizationId, company.owner)
    await breakGlass.heading('Overview')
    expect(await tokenOf(breakGlass)).not.toHaveProperty('sso')
    await breakGlass.close()
  })

  it('ends what its members do here at the next request, when the provider signs them out', async () => {
    const there = await member.inNewTab()
    await there.page.goto(`${provider?.issuer}/session/end`)
    await there.button('Yes, sign me out').click()
    await there.page.getByText('Sign-out Success').waitFor()
    await member.page.reload()
    await member.page.getByText('The sign-in has expired.').waitFor()
    await member.button('Sign in').click()
    await member.page.locator('input[type=email]').waitFor()
  })
})
