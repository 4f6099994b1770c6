import type { Page } from 'playwright-core'
import * as z from 'zod'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { signOnOrganization } from '../../../infra/local/samples/sampleSignOn.ts'
import { de } from '../../../lib/texts/de.ts'
import { en } from '../../../lib/texts/en.ts'
import {
  givePassword,
  goToProvider,
  newWorker,
  openSignInPage,
  type SignInThere,
  storedPeople,
  type Worker,
} from './companyWalk.ts'
import type { HostileAnswer, startHostileProxy } from './hostileProxy.ts'

/** A company whose provider may become hostile, and a member with an account here. */
interface HostileCompany {
  readonly client: LocalClient
  readonly proxy: Pick<Awaited<ReturnType<typeof startHostileProxy>>, 'issuer' | 'tamper'>
  readonly signInThere: SignInThere
  readonly organizationId: string
  readonly name: string
  readonly domain: string
  readonly member: Worker
  /** Whom the provider knows, and this service does not. */
  readonly strangerLogin: string
}

/** What the provider says wrong, about whom, and what the browser is shown. */
interface Hostility {
  readonly what: string
  readonly about: 'member' | 'stranger'
  readonly answer: (company: Pick<HostileCompany, 'domain' | 'member'>) => HostileAnswer
  readonly shows: 'answer_refused' | 'foreign_address' | 'first_link'
}

const forMember = { about: 'member', shows: 'answer_refused' } as const
const forStranger = { about: 'stranger', shows: 'foreign_address' } as const

/** The member is connected with their person at the provider; the stranger with nobody. */
export const hostilities: readonly Hostility[] = [
  { what: 'another issuer', ...forMember, answer: () => claims({ iss: 'https://other.example' }) },
  { what: 'another audience', ...forMember, answer: () => claims({ aud: 'another' }) },
  { what: 'another nonce', ...forMember, answer: () => claims({ nonce: 'another' }) },
  { what: 'a foreign signature', ...forMember, answer: () => ({ foreignKey: true }) },
  {
    what: 'an address of another domain',
    ...forStranger,
    answer: () => claims({ email: 'somebody@other.example', email_verified: true }),
  },
  {
    what: 'an unverified address',
    ...forStranger,
    answer: ({ member: { email } }) => claims({ email, email_verified: false }),
  },
  {
    what: 'another subject with the address of an account',
    about: 'member',
    shows: 'first_link',
    answer: ({ member: { email } }) => claims({ sub: 'another', email, email_verified: true }),
  },
]

function claims(wrong: Readonly<Record<string, unknown>>): HostileAnswer {
  return { claims: (sound) => ({ ...sound, ...wrong }) }
}

const domainsSchema = z.object({ domains: z.tuple([z.object({ domain: z.string() })]) })

/** A company with this provider as its optional single sign-on. Nobody is connected with a person there yet. */
export async function newHostileCompany(
  client: LocalClient,
  registration: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string },
): Promise<Pick<HostileCompany, 'organizationId' | 'name' | 'domain' | 'member'>> {
  const { issuer, clientId: client_id, clientSecret: client_secret } = registration
  const organizationId = await signOnOrganization(client, { issuer, client_id, client_secret })
  const path = `/api/organizations/${organizationId}/domains`
  const { body } = await client.send({ method: 'GET', path, token: await client.accessToken('owner') })
  const { domain } = domainsSchema.parse(body).domains[0]
  // The local stack names it so.
  const name = `Organization ${organizationId}`
  return { organizationId, name, domain, member: await newWorker(client, domain) }
}

/** The member signs in at the sound provider, and connects that person with their account. */
export async function connectMember(page: Page, company: HostileCompany): Promise<void> {
  const { client, organizationId, member, signInThere } = company
  await openSignInPage(page, client, organizationId)
  await goToProvider(page, company, member.email)
  await signInThere(page, member.email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await givePassword(page, member)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
}

/**
 * Signs in at the provider while it is hostile. The page that the browser ends on says why it is not signed in, in its language, and leads to
 * the ways to sign in.
 * @param look at that page
 * @throws Error if this made an account, a link or a session
 */
export async function meetHostility(
  page: Page,
  company: HostileCompany,
  { about, answer, shows }: Hostility,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const { client, proxy, organizationId, name, domain, member, strangerLogin, signInThere } = company
  const before = await storedPeople(client)
  await openSignInPage(page, client, organizationId)
  await goToProvider(page, company, about === 'member' ? member.email : `somebody@${domain}`)
  proxy.tamper(answer(company))
  await signInThere(page, about === 'member' ? member.email : strangerLogin)
  const { provider, signIn, next } = (await page.locator('html').getAttribute('lang')) === 'de' ? de : en
  const { title, text } =
    shows === 'first_link' ? { title: signIn.title, text: provider.signInFirst } : provider.problems[shows]
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  await page.getByText(text(name)).waitFor()
  proxy.tamper({})
  await look()
  const made = (await storedPeople(client)).filter((key) => !before.includes(key))
  if (made.length > 0) throw new Error(`a hostile answer made ${made.join(', ')}`)
  if (shows !== 'first_link') await page.getByRole('link', { name: next.signIn }).click()
  await page.locator('input[type=email]').waitFor()
}
