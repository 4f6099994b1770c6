import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { listenOnLoopback } from '../../../../infra/listenOnLoopback.ts'
import { createEmulator } from '../../../support/emulator.ts'
import { runSchedule } from '../../../support/runSchedule.ts'
import { type OwnersConsole, useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open, openAsOwner, growOld, signInAgain } = useStackInBrowser(
  'test/infra/console/organization/webhooks',
)
let owner: OwnersConsole
let secret: string
let status = 204
const received: { id: string; body: string; signatures: string[]; at: Date }[] = []
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const [id, at, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`webhook-${name}`]),
    )
    received.push({ id: id ?? '', body, signatures: signatures?.split(' ') ?? [], at: new Date(Number(at) * 1000) })
    response.writeHead(status).end(status === 204 ? undefined : 'The license server is being updated')
  }),
)
afterAll(() => receiver.close())
beforeAll(async () => {
  if (!runs) return
  owner = await openAsOwner('/webhooks', 'Webhooks')
})
afterAll(() => owner?.close())

const { host } = new URL(receiver.url)
const dialog = () => owner.page.getByRole('dialog')
const panel = () => owner.page.getByRole('region', { name: /^The secret of/ })
const row = () => owner.row(receiver.url)

/** What the stream does at once on AWS: this stack has schedules only when they are run. */
const deliver = () => runSchedule('events-deliver')

describeInBrowser('The webhooks of an organization in the console', () => {
  it('begin with none, and refuse an address that the internet cannot reach', async () => {
    await owner.page.getByText('No address hears events').waitFor()
    await owner.expectSoundEverywhere('webhooks-none')
    await owner.page.getByLabel('Address').fill('http://10.0.0.1/events')
    await owner.button('Add endpoint').click()
    await owner.page.getByText('Use an address with https').waitFor()
    await owner.expectSoundEverywhere('webhooks-refused')
  })

  it('are added with an address and types, and show the secret once, with the focus', async () => {
    const { page } = owner
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('What it is for').fill('License server')
    await page.getByLabel('Every event').uncheck()
    expect(await owner.button('Add endpoint').getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('A product became active').check()
    await page.getByLabel('Someone joined').check()
    await owner.expectSoundEverywhere('webhooks-types')
    await owner.button('Add endpoint').click()
    await panel().waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`The secret of ${host}`)
    await owner.button('Copy Signing secret').click()
    await owner.said('Signing secret copied')
    secret = await panel().getByLabel('Signing secret', { exact: true }).inputValue()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await owner.expectSoundEverywhere('webhooks-secret')
    await owner.button('I have stored it').click()
    await page.reload()
    await row().getByText('entitlement.changed, member.added').waitFor()
    await row().getByText('License server').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(secret)
    expect(await page.getByLabel('Address').inputValue()).toBe('')
  })

  it('receive a test, whose delivery is listed', async () => {
    await owner.button(`Send test to ${host}`).click()
    await owner.said('A test is on its way')
    await row().getByText('Not tried yet').waitFor()
    await deliver()
    await row().getByText('Answered 204').waitFor()
    const [{ id, at, body, signatures } = { id: '', at: new Date(), body: '', signatures: [] }] = received
    expect(JSON.parse(body)).toMatchObject({
      type: 'endpoint.test',
      organization_id: owner.organizationId,
      sequence: null,
    })
    expect(signatures).toEqual([new Webhook(secret).sign(id, at, body)])
    await owner.expectSoundEverywhere('webhooks-delivered')
  })

  it('show what the server answered, and send again', async () => {
    status = 500
    await owner.button('Send again: endpoint.test').click()
    await owner.said('The event is sent again')
    await deliver()
    await row().getByText('Answered 500').waitFor()
    await row().getByText('Next attempt on').waitFor()
    await row().getByText('Answer of your server').click()
    await row().getByText('The license server is being updated').waitFor()
    await owner.expectSoundEverywhere('webhooks-answer')
    await row().getByLabel('Status').selectOption('Delivered')
    await row().getByText('Nothing was sent.').waitFor()
    status = 204
  })

  it('get a new secret after a question, beside which the old one signs', async () => {
    await owner.button(`New secret for ${host}`).click()
    await owner.expectSound('webhooks-rotate')
    await owner.button('Create new secret').click()
    await panel().waitFor()
    const newer = await panel().getByLabel('Signing secret', { exact: true }).inputValue()
    expect(newer).not.toBe(secret)
    await owner.button('I have stored it').click()
    await owner.button(`Send test to ${host}`).click()
    await owner.said('A test is on its way')
    const before = received.length
    await createEmulator(local().info.stripe.api_base).advance(300)
    await deliver()
    const { id, at, body, signatures } = received[before] ?? { id: '', at: new Date(), body: '', signatures: [] }
    const expected = [newer, secret].map((one) => new Webhook(one).sign(id, at, body))
    expect([...signatures].sort()).toEqual(expected.sort())
  })

  it('are changed, after a sign-in that is asked for, with what was typed', async () => {
    const { page } = owner
    await growOld()
    await owner.button(`Edit ${host}`).click()
    await row().getByLabel('What it is for').fill('Another server')
    await row().getByLabel('Every event').check()
    await owner.expectSoundEverywhere('webhooks-edit')
    await owner.button('Save').click()
    await signInAgain(owner)
    await owner.said('The endpoint is changed')
    await row().getByText('Another server').waitFor()
    await row().getByText('Every event').waitFor()
    await owner.button(`Edit ${host}`).click()
    await row().getByLabel('What it is for').fill('A third server')
    await owner.button('Save').click()
    await row().getByText('A third server').waitFor()
    await owner.button(`Edit ${host}`).click()
    expect(await row().getByLabel('What it is for').inputValue()).toBe('A third server')
    await page.reload()
    await row().getByText('A third server').waitFor()
  })

  it('keep types that the form does not offer by itself', async () => {
    const { page } = owner
    await page.route('**/webhook-endpoints', async (route) => {
      const answer = await route.fetch()
      const body = JSON.parse(await answer.text())
      for (const endpoint of body.webhook_endpoints) endpoint.event_types = ['invoice.paid', 'invoice.shredded']
      await route.fulfill({ response: answer, json: body })
    })
    const changed = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.reload()
    await owner.button(`Edit ${host}`).click()
    await row().getByLabel('Someone joined').check()
    expect(await row().getByLabel('invoice.shredded').isChecked()).toBe(true)
    await page.unroute('**/webhook-endpoints')
    const refusals = owner.errors.length
    await owner.button('Save').click()
    expect((await changed).postDataJSON()).toMatchObject({
      event_types: ['invoice.paid', 'member.added', 'invoice.shredded'],
    })
    // The API of this stack has no such type.
    await row().getByRole('alert').waitFor()
    owner.errors.splice(refusals)
    await row().getByRole('button', { name: 'Close' }).click()
  })

  it('are disabled after a question, and enabled', async () => {
    await owner.button(`Disable ${host}`).click()
    await owner.expectSound('webhooks-disable')
    await owner.button('Disable endpoint').click()
    await row().getByText('Disabled', { exact: true }).waitFor()
    await owner.expectSoundEverywhere('webhooks-disabled')
    await owner.button(`Enable ${host}`).click()
    await row().getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  })

  it('are not shown to a billing admin', async () => {
    const admin = await open()
    await admin.open(`organizations/${owner.organizationId}/webhooks`)
    await admin.signIn(local().info.demo.billing_admin)
    await admin.heading('Not for your role')
    expect(await admin.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    await admin.close()
  })

  it('say that the answer with the secret was lost', async () => {
    const path = `**/api/organizations/${owner.organizationId}/webhook-endpoints`
    await owner.loseSecret(path, 'secret')
    await owner.page.getByLabel('Address').last().fill(`${receiver.url}/unlucky`)
    await owner.button('Add endpoint').click()
    await panel().getByText('the answer with its secret was lost').waitFor()
    await owner.expectSoundEverywhere('webhooks-lost')
    await owner.button('Close').click()
    await owner.page.unroute(path)
  })

  it('are deleted after a question, and once more where the sign-in is old', async () => {
    await growOld()
    await owner.button(`Delete ${host}`).first().click()
    await owner.button('Delete endpoint').click()
    await signInAgain(owner)
    await dialog().getByText('This cannot be undone.').waitFor()
    await owner.expectSound('webhooks-delete')
    await owner.button('Delete endpoint').click()
    await owner.said('The endpoint is deleted')
  })

  it('are named in the activity of the organization', async () => {
    await owner.goTo('Activity')
    await owner.page.getByText('added a webhook endpoint at').first().waitFor()
    await owner.page.getByText('deleted the webhook endpoint at').first().waitFor()
  })
})
