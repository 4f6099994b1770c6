import { beforeEach, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, openAsOwnerBeforeEach, growOld } = useStackInBrowser(
  'test/infra/console/account/stepUp',
)
const opened = openAsOwnerBeforeEach('/members', 'Members')
let sent: string[]
const demo = () => local().info.demo

beforeEach(() => {
  if (!runs) return
  sent = []
  opened().page.on('request', (request) => {
    if (request.url().includes('/api/organizations/') || request.url().includes('/api/billing/'))
      if (request.method() !== 'GET' && request.method() !== 'OPTIONS') sent.push(request.method())
  })
})

const members = z.object({ members: z.array(z.object({ user_id: z.string(), role: z.string() })) })

/** The browser's console names the refusals that this is about. */
async function expectSound(name: string): Promise<void> {
  opened().forgetRefusals(401)
  await opened().expectSound(name)
}

const row = () => opened().page.getByRole('listitem').filter({ hasText: demo().member.email })
const dialog = () => opened().page.getByRole('dialog')

async function askToRemove(): Promise<void> {
  await row()
    .getByRole('button', { name: /^Remove/ })
    .click()
  await opened().button('Remove member').click()
}

/** The hosted page, with the address of the user who was signed in. */
async function signInAgain(): Promise<void> {
  const { page, button } = opened()
  await page.locator('input[type=password]').waitFor()
  expect(await page.getByLabel('Email address').inputValue()).toBe(demo().owner.email)
  await expectSound('step-up-1-sign-in')
  await page.locator('input[type=password]').fill(demo().owner.password)
  await button(/^Sign in$/).click()
}

/** Who belongs to the organization, as the API says. */
async function roles(): Promise<Record<string, string>> {
  const token = await local().accessToken('billing_admin')
  const path = `/api/organizations/${opened().organizationId}/members`
  const { body } = await local().send({ method: 'GET', path, token })
  return Object.fromEntries(members.parse(body).members.map(({ user_id, role }) => [user_id, role]))
}

describeInBrowser('Removing a member with an old sign-in', () => {
  it('leads to the sign-in and back, asks once more, and removes the member once', async () => {
    await growOld()
    await askToRemove()
    await signInAgain()
    await dialog().getByText('no longer has access').waitFor()
    expect(sent).toEqual(['DELETE'])
    expect(await roles()).toHaveProperty(demo().member.id)
    await expectSound('step-up-2-confirm')
    await opened().button('Remove member').click()
    await opened().said('is removed')
    expect(sent).toEqual(['DELETE', 'DELETE'])
    expect(await roles()).not.toHaveProperty(demo().member.id)
    await opened().page.reload()
    await opened().heading('Members')
    expect(await dialog().count()).toBe(0)
  })

  // [threat 93]
  it('keeps the member where the user goes back instead of signing in', async () => {
    await growOld()
    await askToRemove()
    await opened().page.locator('input[type=password]').waitFor()
    await opened().page.goBack()
    await opened().said('You did not sign in again, so nothing was changed')
    await row().waitFor()
    expect(await dialog().count()).toBe(0)
    await expectSound('step-up-3-canceled')
    expect(sent).toEqual(['DELETE'])
    await opened().page.reload()
    await row().waitFor()
    expect(await opened().page.getByText('You did not sign in again').count()).toBe(0)
    expect(await roles()).toHaveProperty(demo().member.id)
  })

  // [threat 93]
  it('keeps the member where another user signs in', async () => {
    await growOld()
    await askToRemove()
    await opened().page.locator('input[type=password]').waitFor()
    await opened().enterPassword(demo().billing_admin)
    await opened().heading('Members')
    await opened().page.getByRole('heading', { name: 'Members', level: 2 }).waitFor()
    expect(await dialog().count()).toBe(0)
    expect(sent).toEqual(['DELETE'])
    expect(await roles()).toHaveProperty(demo().member.id)
  })

  it('says so where even the new sign-in is not enough, and does not leave again', async () => {
    await opened().page.route('**/members/*', async (route) => {
      const challenge = 'Bearer error="insufficient_user_authentication", max_age="600"'
      const body = { detail: 'No', code: 'insufficient_user_authentication', request_id: 'r' }
      await route.fulfill({ status: 401, headers: { 'www-authenticate': challenge }, json: body })
    })
    await growOld()
    await askToRemove()
    await signInAgain()
    await opened().button('Remove member').click()
    await dialog().getByText('The sign-in is still not recent enough for this.').waitFor()
    await expectSound('step-up-4-refused')
    expect(sent).toEqual(['DELETE', 'DELETE'])
  })
})

describeInBrowser('What can be undone', () => {
  it('is done after the sign-in without another click: an invitation of an owner, with what was typed', async () => {
    await growOld()
    await opened().page.getByLabel('Email address').fill('new-owner@example.com')
    await opened().page.getByRole('form', { name: 'Invite someone' }).getByLabel('Role').selectOption('owner')
    await opened().button('Send invitation').click()
    await signInAgain()
    await opened().said('new-owner@example.com is invited')
    await opened().page.getByRole('heading', { name: 'new-owner@example.com' }).waitFor()
    expect(sent).toEqual(['POST', 'POST'])
  })

  it('is done after the sign-in without another click: the role of a member, who becomes an owner next', async () => {
    await growOld()
    await row().getByRole('combobox').selectOption('billing_admin')
    await signInAgain()
    await opened().said('is now a billing admin')
    await row().getByRole('combobox').selectOption('owner')
    await dialog().getByRole('button', { name: 'Make owner' }).click()
    await opened().said('is now an owner')
    expect(sent).toEqual(['PATCH', 'PATCH', 'PATCH'])
    expect(await roles()).toMatchObject({ [demo().member.id]: 'owner' })
  })

  it('is kept in its form where the user goes back: the address of the invoices', async () => {
    await opened().goTo('Billing details')
    await growOld()
    const email = opened().page.getByLabel('Email address')
    await email.fill('invoices@example.com')
    await opened().page.getByLabel('Name').fill('Renamed')
    await opened().button('Save details').click()
    await opened().page.locator('input[type=password]').waitFor()
    await opened().page.goBack()
    await opened().said('You did not sign in again, so nothing was changed')
    expect(await email.inputValue()).toBe('invoices@example.com')
    await opened().button('Save details').click()
    await signInAgain()
    await opened().said('Your billing details are saved')
    expect([await email.inputValue(), await opened().page.getByLabel('Name').inputValue()]).toEqual([
      'invoices@example.com',
      'Renamed',
    ])
    expect(sent).toEqual(['PATCH', 'PATCH', 'PATCH'])
  })
})

describeInBrowser('Handing an organization over with an old sign-in', () => {
  it('keeps the chosen member, asks once more, and makes that member the owner', async () => {
    await opened().goTo('Settings')
    await growOld()
    await opened().page.getByLabel('New owner').selectOption(demo().billing_admin.id)
    await opened().button('Hand over').click()
    await dialog().getByRole('button', { name: 'Hand over' }).click()
    await signInAgain()
    await dialog().getByText('becomes the owner').waitFor()
    expect((await roles())[demo().owner.id]).toBe('owner')
    await dialog().getByRole('button', { name: 'Hand over' }).click()
    await opened().said(/owns/)
    expect(await roles()).toMatchObject({ [demo().owner.id]: 'billing_admin', [demo().billing_admin.id]: 'owner' })
  })
})
