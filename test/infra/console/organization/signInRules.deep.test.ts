import { expect, it } from '@jest/globals'
import { createDocumentClient } from '../../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { setAttributes } from '../../../support/setAttributes.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, local, openAsOwnerBeforeEach } = useStackInBrowser(
  'test/infra/console/organization/signInRules',
)
const opened = openAsOwnerBeforeEach('/sign-in-rules', 'Sign-in rules')

/** The browser's console names the refusals that this is about. */
async function expectSound(name: string): Promise<void> {
  opened().forgetRefusals(401, 403, 412, 422)
  await opened().expectSoundEverywhere(name)
}

const save = () => opened().button('Save rules').click()
const field = (label: string) => opened().page.getByLabel(label, { exact: true })

async function rules(change?: Record<string, unknown>) {
  const path = `/api/organizations/${opened().organizationId}/sign-in-rules`
  const token = await local().accessToken('owner')
  const { body } = await local().send({
    method: change ? 'PATCH' : 'GET',
    path,
    token,
    ...(change && { body: change }),
  })
  return body
}

/** Stores a rule beside the API, which an owner without a second factor could not save. */
async function requireSecondFactor(): Promise<void> {
  const database = createDocumentClient({ endpoint: local().info.dynamodb_endpoint, region: 'us-east-1' })
  const key = { pk: `ORG#${opened().organizationId}`, sk: 'ACCOUNT' }
  await setAttributes(database, local().info.tables.billing, key, { signInRules: { secondFactorFrom: 1 } })
  database.destroy()
}

describeInBrowser('The sign-in rules of an organization', () => {
  it('are set and lifted', async () => {
    await field('Sign in again after days').fill('30')
    await field('Sign in again after idle hours').fill('12')
    await field('Applications of other companies').selectOption('none')
    await save()
    await opened().said('The rules are saved')
    expect(await rules()).toMatchObject({ max_session_days: 30, idle_hours: 12, allowed_clients: [] })
    await expectSound('sign-in-rules')
    await field('Sign in again after days').fill('')
    await field('Applications of other companies').selectOption('all')
    await save()
    await opened().said('The rules are saved')
    expect(await rules()).toMatchObject({ max_session_days: null, idle_hours: 12, allowed_clients: null })
  })

  it('say what is wrong with the input, and which rule its owner does not meet', async () => {
    await field('Sign in again after days').fill('91')
    await save()
    await opened().page.getByText('Enter a whole number from 1 to 90.').waitFor()
    await field('Sign in again after days').fill('')
    await field('Second factor required from').fill('2030-05-01')
    await save()
    await opened().page.getByText('This organization requires a second factor.').waitFor()
    await expectSound('sign-in-rules-refused')
    expect(await rules()).toMatchObject({ second_factor_required_from: null, max_session_days: null })
  })

  it('are not overwritten if another owner changed them', async () => {
    await field('Sign in again after days').fill('7')
    await rules({ idle_hours: 5 })
    await save()
    await opened().page.getByText('Another owner has changed the rules meanwhile.').waitFor()
    await save()
    await opened().said('The rules are saved')
    expect(await rules()).toMatchObject({ idle_hours: 5, max_session_days: 7 })
  })

  it('lead a member who lacks a second factor to Security', async () => {
    await requireSecondFactor()
    await opened().open(`organizations/${opened().organizationId}`)
    await opened().heading('Second factor required')
    await expectSound('second-factor-required')
    await opened().open('')
    await opened()
      .page.getByText(/Second factor required from/)
      .waitFor()
    await opened().open(`organizations/${opened().organizationId}`)
    await opened().page.getByRole('link', { name: 'Go to Security' }).click()
    await opened().heading('Security')
  })
})
