import { describe, expect, it } from '@jest/globals'
import { pendingVisitor } from '../../signIn/secondFactor/people.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from './page.ts'
import { PASSWORD, queryOf, registerClient, registerUser, responseIn } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()

/** A browser with the sign-in page open in two tabs, in which the first signs in. */
async function twoTabs() {
  const [user, client] = [await registerUser(stack()), await registerClient(stack(), { firstParty: true })]
  const visitor = new Visitor(stack().baseUrl)
  const [first, second] = [queryOf(client, { state: 'first' }), queryOf(client, { state: 'second' })]
  const tabs = [await visitor.get(first), await visitor.get(second)] as const
  await visitor.submit(first, tabs[0], 'login', { fields: { email: user.email, password: PASSWORD } })
  const submit = (email: string, headers = {}) =>
    visitor.submit(second, tabs[1], 'login', { fields: { email, password: PASSWORD }, headers })
  return { user, visitor, second, submit }
}

describe('A sign-in form whose browser has signed in in another tab', () => {
  it('goes on with that sign-in', async () => {
    const { user, visitor, second, submit } = await twoTabs()
    const cookie = visitor.cookie
    const answer = await submit(user.email)
    expect([answer.status, answer.location, visitor.cookie]).toEqual([303, `?${second}`, cookie])
    expect(responseIn(await visitor.get(second))).toMatchObject({ code: expect.any(String), state: 'second' })
  })

  it('asks which account if its address is another', async () => {
    const { user, visitor, second, submit } = await twoTabs()
    const other = await registerUser(stack())
    const page = await submit(other.email)
    expect([page.status, textOf(page.body)]).toEqual([200, expect.stringContaining(`Signed in as ${user.email}`)])
    expect(responseIn(await visitor.submit(second, page, 'continue'))).toMatchObject({ code: expect.any(String) })
  })

  it('goes on with the second factor that the other tab is asked for', async () => {
    const { user, visitor, query } = await pendingVisitor(stack())
    const other = new Visitor(stack().baseUrl)
    const page = await other.get(query)
    const answer = await visitor.submit(query, page, 'login', { fields: { email: user.email, password: PASSWORD } })
    expect([answer.status, answer.location]).toEqual([303, `?${query}`])
    expect(textOf((await visitor.get(query)).body)).toContain(`Signing in as ${user.email}`)
  })

  it('goes on at the page of authenticators as well, with nothing but a sign-in', async () => {
    const { user, visitor } = await twoTabs()
    const url = `${stack().baseUrl}/api/account/security?ui_locales=en`
    const send = (fields: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { ...visitor.cookieHeader },
        body: new URLSearchParams({ csrf: 'of before', ...fields }),
        redirect: 'manual',
      })
    const answer = await send({ action: 'login', email: user.email, password: PASSWORD })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '?ui_locales=en'])
    expect((await send({ action: 'begin_totp' })).status).toBe(403)
  })

  it('is refused from another site, also then', async () => {
    const { user, submit } = await twoTabs()
    const answer = await submit(user.email, { 'sec-fetch-site': 'cross-site' })
    expect([answer.status, answer.location]).toEqual([403, null])
  })
})
