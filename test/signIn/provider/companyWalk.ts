import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import pRetry from 'p-retry'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { newDomain } from '../../../infra/local/samples/sampleDomains.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'

/** Somebody with an address at the domain of a company. */
export interface Worker {
  readonly id: string
  readonly email: string
  /** Of the account here. */
  readonly password: string
}

/** A company whose owner and member have an account with a password, and a second organization of the member. */
export interface Company {
  readonly domain: string
  readonly name: string
  readonly organizationId: string
  readonly owner: Worker
  readonly member: Worker
  readonly otherOrganizationId: string
}

/** The pages of a provider: how somebody signs in there. */
export type SignInThere = (page: Page, login: string) => Promise<void>

const idAnswer = z.object({ id: z.string() })

/** Somebody with a verified address at the domain and with a password. */
export async function newWorker(client: LocalClient, domain: string): Promise<Worker & { readonly token: string }> {
  const email = `${randomUUID().slice(0, 8)}@${domain}`
  // On a busy machine the first registration of a stack may be 503, and is safe to send again.
  const { accessToken: token } = await pRetry(() => signUp(client, email), { retries: 3 })
  const { body } = await client.send({ method: 'GET', path: '/api/users/me', token })
  return { id: idAnswer.parse(body).id, email, password: samplePassword, token }
}

export async function newCompany(client: LocalClient): Promise<Company> {
  const domain = newDomain()
  const name = `Initech ${domain.slice(8, 16)}`
  const [owner, member] = [await newWorker(client, domain), await newWorker(client, domain)]
  const create = async (token: string, body: object) =>
    idAnswer.parse((await client.send({ method: 'POST', path: '/api/organizations', token, body })).body).id
  const organizationId = await create(owner.token, { name })
  const otherOrganizationId = await create(member.token, { name: 'Sailing club' })
  const membership = { user_id: member.id, organization_id: organizationId, role: 'member' }
  await client.send({ method: 'POST', path: '/_local/memberships', body: membership })
  // The local stack has given it a name of its own.
  const path = `/api/organizations/${organizationId}`
  await client.send({ method: 'PATCH', path, token: owner.token, body: { name } })
  return { domain, name, organizationId, owner, member, otherOrganizationId }
}

/** An owner adds the domain of the company on the console's page, sets its record at the local name server, and verifies it. */
export async function proveDomain(page: Page, client: LocalClient, { domain }: Company): Promise<void> {
  await page.getByLabel('Domain', { exact: true }).fill(domain)
  await page.getByRole('button', { name: 'Add domain' }).click()
  const shownAt = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
  const [name, value] = [await shownAt('Name of the TXT record'), await shownAt('Value of the TXT record')]
  await client.send({ method: 'POST', path: '/_local/dns', body: { name, type: 'TXT', values: [value] } })
  await page.getByRole('button', { name: `Verify ${domain}` }).click()
  await page.getByText('We look for its record each week').waitFor()
}

/** An owner registers a provider on the console's page of single sign-on, and tests it. */
export async function registerSignOn(
  page: Page,
  registration: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string },
): Promise<void> {
  const { issuer, clientId, clientSecret } = registration
  await page.getByLabel('Issuer', { exact: true }).fill(issuer)
  await page.getByLabel('Client ID', { exact: true }).fill(clientId)
  await page.getByLabel('Client secret', { exact: true }).fill(clientSecret)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Your provider answers').waitFor()
}

/** Answers what the pages of a provider load from the internet with nothing. */
export async function keepLocal(page: Page): Promise<void> {
  const isForeign = ({ hostname }: URL) => !['localhost', '127.0.0.1'].includes(hostname)
  await page.context().route(isForeign, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
}

/** Opens the page of an organization in the console, and from there the sign-in page. */
export async function openSignInPage(page: Page, { info }: Pick<LocalClient, 'info'>, organizationId: string) {
  await page.goto(`${info.base_url}/_local/console/organizations/${organizationId}`)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click()
  await page.locator('input[type=email]').waitFor()
}

/** On the sign-in page: the address, then the provider that the page offers for it. */
export async function goToProvider(page: Page, { name }: Pick<Company, 'name'>, email: string): Promise<void> {
  await giveAddress(page, email)
  await page.getByRole('link', { name: new RegExp(`^(Continue with|Weiter mit) ${name}$`) }).click()
}

/** On the sign-in page, which asks for the address first. */
export async function giveAddress(page: Page, email: string): Promise<void> {
  await page.locator('input[type=email]').fill(email)
  await page.getByRole('button', { name: /^(Continue|Weiter)$/ }).click()
}

export async function givePassword(page: Page, { password }: Worker): Promise<void> {
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click()
}

/** oidc-provider's own pages: the sign-in, and the consent that it asks for the first time. */
export const signInAtOidcProvider: SignInThere = async (page, login) => {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** The keys of everything stored about people, such as accounts, identities and sessions. Leaves out what each try to sign in stores for minutes. */
export async function storedPeople({ info }: Pick<LocalClient, 'info'>): Promise<string[]> {
  const documents = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  const keys: string[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const found = await documents.send(new ScanCommand({ TableName: info.tables.accounts, ExclusiveStartKey }))
    keys.push(...(found.Items ?? []).map(({ pk, sk }) => `${pk} ${sk}`))
    ExclusiveStartKey = found.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  documents.destroy()
  return keys.filter((key) => !/^(CHALLENGE|PROVIDER_SIGN_IN)#/.test(key)).sort()
}
