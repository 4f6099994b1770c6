import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as z from 'zod'
import { formFields } from '../../../oauth/authorize/page.ts'
import { queryOf } from '../../../oauth/authorize/people.ts'
import { Visitor } from '../../../oauth/authorize/visitor.ts'
import { partner, registerPartner } from '../../../support/partner.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const sessionList = z.object({ sessions: z.array(z.object({ id: z.string(), current: z.boolean() })) })

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/account/security')
let mine: OpenedConsole
let other: OpenedConsole
beforeAll(async () => {
  if (!runs) return
  ;[mine, other] = [await open(), await open()]
  for (const visitor of [mine, other]) {
    await visitor.open('security')
    await visitor.signIn(local().info.demo.owner)
    await visitor.heading('Security')
  }
})
afterAll(async () => {
  await mine?.close()
  await other?.close()
})

/** The owner signs in at a client that is not the operator’s own, and allows what it asks. */
async function allowPartner(): Promise<void> {
  const { base_url, demo } = local().info
  await registerPartner(local().info)
  const query = queryOf({ clientId: partner.client_id }, { redirect_uri: demo.redirect_uri, scope: 'profile' })
  const visitor = new Visitor(base_url)
  const { email, password } = demo.owner
  await visitor.submit(query, await visitor.get(query), 'login', { fields: { email, password } })
  const page = await visitor.get(query)
  expect(formFields(page.body)).not.toEqual({})
  expect((await visitor.submit(query, page, 'allow')).status).toBe(303)
}

describeInBrowser('The page of sessions and applications', () => {
  it('lists both, marks the session that looks at it, and is accessible in every look', async () => {
    await allowPartner()
    await mine.open('security')
    await mine.page.getByText('This session').waitFor()
    await mine.button(/^Remove the access of /).waitFor()
    expect(await mine.button(/^End the session of .* on Linux$/).count()).toBeGreaterThan(0)
    await mine.expectSoundEverywhere('security')
  })

  it('ends the session of another browser, which is signed out at its next step', async () => {
    const { sessions } = await sessionsOf(other)
    const id = sessions.find(({ current }) => current)?.id
    expect(id).toBeDefined()
    const ended = mine.page.waitForResponse((answer) => answer.url().endsWith(`/sessions/${id}`))
    const buttons = mine.button(/^End the session of Console/)
    for (const button of await buttons.all()) await button.click()
    expect((await ended).status()).toBe(204)
    await mine.page.getByText('has ended').first().waitFor()
    await other.open('profile')
    await other.button('Sign in').waitFor()
    await mine.page.getByText('This session').waitFor()
  })

  it('leads to passkeys and second factors, in the console’s language', async () => {
    await mine.page.getByRole('link', { name: 'Manage passkeys and factors' }).click()
    await mine.heading('Sign-in and security')
    await mine.open('security')
    await mine.page.getByText('This session').waitFor()
  })

  // [asvs 10.4.9 10.7.3]
  it('removes the access of an application after a question', async () => {
    await mine.button(/^Remove the access of /).click()
    await mine.expectSound('security-remove')
    await mine.button('Remove access').click()
    await mine.page.getByText('No application has access').waitFor()
  })

  it('signs out everywhere, here too', async () => {
    await mine.button('Sign out everywhere').click()
    await mine.expectSound('security-everywhere')
    await mine.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await mine.said('You are signed out everywhere.')
    await mine.button(/^Sign in$/).click()
    await mine.heading('Sign in')
  })
})

/** As the API says it to the other browser’s console. */
async function sessionsOf(visitor: OpenedConsole): Promise<{ sessions: { id: string; current: boolean }[] }> {
  const token = await visitor.accessToken()
  const { body } = await local().send({ method: 'GET', path: '/api/users/me/sessions', token })
  return sessionList.parse(body)
}
