import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type OwnersConsole, useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open, openAsOwner, growOld, signInAgain } = useStackInBrowser(
  'test/infra/console/organization/apiClients',
)
let owner: OwnersConsole
let client: { client_id: string; client_secret: string }
beforeAll(async () => {
  if (!runs) return
  owner = await openAsOwner('/api-clients', 'API clients')
})
afterAll(() => owner?.close())

const dialog = () => owner.page.getByRole('dialog')
const panel = () => owner.page.getByRole('region', { name: /^The secret of/ })
const secretShown = () => panel().getByLabel('Client secret', { exact: true }).inputValue()

const run = promisify(execFile)

/** The status of a token request by `client_credentials`. */
async function tokenStatus(secret: string): Promise<number> {
  const body = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: secret }
  return (await local().send({ method: 'POST', path: '/api/oauth/token', body })).status
}

describeInBrowser('The API clients of an organization in the console', () => {
  it('begin with none, and are created with a name and at least one scope', async () => {
    await owner.page.getByText('No program has access').waitFor()
    await owner.expectSoundEverywhere('api-clients-none')
    const create = owner.button('Create API client')
    await owner.page.getByLabel('Name').fill('Nightly export')
    expect(await create.getAttribute('aria-disabled')).toBe('true')
    await owner.page.getByLabel('See what the organization has bought').check()
    await owner.page.getByLabel('See who belongs to the organization').check()
    await create.click()
    await panel().waitFor()
  })

  // [threat 113]
  it('show the secret once, with the focus, to be copied', async () => {
    expect(await owner.page.evaluate('document.activeElement.textContent')).toBe('The secret of Nightly export')
    await owner.button('Copy Client secret').click()
    await owner.said('Client secret copied')
    const client_secret = await secretShown()
    expect(await owner.page.evaluate('navigator.clipboard.readText()')).toBe(client_secret)
    client = { client_id: await panel().getByLabel('Client ID', { exact: true }).inputValue(), client_secret }
    expect(await tokenStatus(client_secret)).toBe(200)
    const command = await panel().getByRole('textbox', { name: 'Command that gets' }).inputValue()
    expect(JSON.parse((await run('sh', ['-c', `${command} --silent`])).stdout)).toMatchObject({ token_type: 'Bearer' })
    await owner.expectSoundEverywhere('api-clients-secret')
    await owner.button('I have stored it').click()
    await panel().waitFor({ state: 'detached' })
    await owner.page.reload()
    await owner.row('Nightly export').getByText(client.client_id).waitFor()
    await owner.row('Nightly export').getByText('Last used').waitFor()
    expect(await owner.page.content()).not.toContain(client_secret)
    expect(await owner.page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(client_secret)
    await owner.expectSoundEverywhere('api-clients-list')
  })

  /** Answers the question so that the new secret is the only one that works. */
  async function createOnlySecret(): Promise<void> {
    await owner.button('Create new secret').click()
    await panel().waitFor()
    const newest = await secretShown()
    expect([await tokenStatus(newest), await tokenStatus(client.client_secret)]).toEqual([200, 401])
    await owner.button('I have stored it').click()
    client = { ...client, client_secret: newest }
  }

  it('get a new secret after a question, beside which the old one works', async () => {
    await owner.button('New secret for Nightly export').click()
    await owner.expectSound('api-clients-rotate')
    await owner.button('Create new secret').click()
    await panel().waitFor()
    expect(await owner.page.evaluate('document.activeElement.textContent')).toBe('The secret of Nightly export')
    const newer = await secretShown()
    expect([await tokenStatus(newer), await tokenStatus(client.client_secret)]).toEqual([200, 200])
    expect(newer).not.toBe(client.client_secret)
    await owner.row('Nightly export').getByText('The old secret works until').waitFor()
    await owner.expectSoundEverywhere('api-clients-rotated')
    await owner.button('I have stored it').click()
    client = { ...client, client_secret: newer }
  })

  it('get a third secret that ends both others, after a question that says so', async () => {
    await owner.button('New secret for Nightly export').click()
    await dialog().getByText('Both stop working now').waitFor()
    expect(await dialog().getByRole('combobox').count()).toBe(0)
    await createOnlySecret()
  })

  it('lose the old secret at once, if the owner chooses that', async () => {
    await owner.button('New secret for Nightly export').click()
    await dialog().getByLabel('The current secret').selectOption('Stops working now')
    await owner.expectSoundEverywhere('api-clients-rotate-now')
    await createOnlySecret()
  })

  it('are shown to a billing admin, who changes nothing, and not to a member', async () => {
    const admin = await open()
    await admin.open(`organizations/${owner.organizationId}/api-clients`)
    await admin.signIn(local().info.demo.billing_admin)
    await admin.row('Nightly export').waitFor()
    expect(await admin.button(/New secret|Delete|Create/).count()).toBe(0)
    await admin.expectSound('api-clients-billing-admin')
    await admin.close()
    const member = await open()
    await member.open(`organizations/${owner.organizationId}/api-clients`)
    await member.signIn(local().info.demo.member)
    await member.heading('Not for your role')
    expect(await member.page.getByRole('link', { name: 'API clients' }).count()).toBe(0)
    await member.close()
  })

  it('are deleted after a question, and once more where the sign-in is old', async () => {
    await growOld()
    await owner.button('Delete Nightly export').click()
    await owner.button('Delete API client').click()
    await signInAgain(owner)
    await dialog().getByText('This cannot be undone.').waitFor()
    expect(await tokenStatus(client.client_secret)).toBe(200)
    await owner.expectSound('api-clients-delete')
    await owner.button('Delete API client').click()
    await owner.said('Nightly export is deleted')
    await owner.page.getByText('No program has access').waitFor()
    expect(await tokenStatus(client.client_secret)).toBe(401)
  })

  it('are created after the sign-in without another click, with what was typed', async () => {
    await growOld()
    await owner.page.getByLabel('Name').fill('Dashboard')
    await owner.page.getByLabel('See subscriptions').check()
    await owner.button('Create API client').click()
    await signInAgain(owner)
    await panel().getByRole('heading', { name: 'The secret of Dashboard' }).waitFor()
    await owner.button('I have stored it').click()
    await owner.row('Dashboard').waitFor()
  })

  it('say where the answer with the secret was lost, and that the store refused', async () => {
    const path = `**/api/organizations/${owner.organizationId}/api-clients`
    await owner.loseSecret(path, 'client_secret')
    await owner.page.getByLabel('Name').fill('Unlucky')
    await owner.page.getByLabel('See subscriptions').check()
    await owner.button('Create API client').click()
    await panel().getByText('the answer with its secret was lost').waitFor()
    await owner.expectSoundEverywhere('api-clients-lost')
    await owner.button('Close').click()
    await owner.page.unroute(path)
    const failure = { status: 409, json: { detail: 'No', code: 'too_many_api_clients', request_id: 'r1' } }
    await owner.page.route(path, (route) =>
      route.request().method() === 'POST' ? route.fulfill(failure) : route.fallback(),
    )
    await owner.page.getByLabel('Name').fill('One too many')
    await owner.page.getByLabel('See subscriptions').check()
    await owner.button('Create API client').click()
    await owner.page.getByText('An organization has 20 API clients at most').waitFor()
    expect(await owner.page.getByLabel('Name').inputValue()).toBe('One too many')
    await owner.expectSoundEverywhere('api-clients-refused')
    await owner.page.unroute(path)
  })

  it('are named in the activity of the organization', async () => {
    await owner.goTo('Activity')
    await owner.page.getByText('gave a new secret to').first().waitFor()
    await owner.page.getByText('deleted the API client “Nightly export”').waitFor()
  })
})
