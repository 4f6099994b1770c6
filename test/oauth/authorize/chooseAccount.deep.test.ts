import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { person, relyingParty, requestOf, signIn } from '../openid/relyingParty.ts'
import { textOf } from './page.ts'
import { queryOf, registerClient, registerUser, responseIn, signedInVisitor, signInAt } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()
const chooses = (query: string) => `${query}&prompt=select_account`

/** A first-party client, which asks for no consent. */
async function signedIn() {
  const { visitor, user } = await signedInVisitor(stack())
  const client = await registerClient(stack(), { firstParty: true })
  return { visitor, user, client, query: chooses(queryOf(client)) }
}

describe('An authorization request with prompt=select_account (OpenID Connect Core §3.1.2.1)', () => {
  it('shows a signed-in user the account, and goes on with it at a click', async () => {
    const { visitor, user, query } = await signedIn()
    const page = await visitor.get(query)
    expect([page.status, textOf(page.body)]).toEqual([
      200,
      expect.stringMatching(new RegExp(`^Choose an account .*Signed in as ${user.email}.*Continue`)),
    ])
    expect(responseIn(await visitor.submit(query, page, 'continue'))).toMatchObject({ code: expect.any(String) })
  })

  it('takes another account in its place, and asks no more after that sign-in', async () => {
    const { visitor, query } = await signedIn()
    const other = await registerUser(stack())
    const ended = await visitor.submit(query, await visitor.get(query), 'switch')
    expect([ended.status, ended.location]).toEqual([303, `?${query}`])
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    await signInAt(visitor, query, other.email)
    expect(responseIn(await visitor.get(query))).toMatchObject({ code: expect.any(String) })
  })

  it('shows a visitor the sign-in page, and no page to choose after that', async () => {
    const [user, client] = [await registerUser(stack()), await registerClient(stack(), { firstParty: true })]
    const visitor = new Visitor(stack().baseUrl)
    await signInAt(visitor, chooses(queryOf(client)), user.email)
    expect(responseIn(await visitor.get(chooses(queryOf(client))))).toMatchObject({ code: expect.any(String) })
  })

  it('asks for consent after the choice if the client needs it', async () => {
    const { visitor, client } = await signedInVisitor(stack())
    const query = chooses(queryOf(client))
    const consent = await visitor.submit(query, await visitor.get(query), 'continue')
    expect(textOf(consent.body)).toMatch(/^Allow Console to use your account/)
    expect(responseIn(await visitor.submit(query, consent, 'allow'))).toMatchObject({ code: expect.any(String) })
  })

  it('continues nothing without the form’s token', async () => {
    const { visitor, query } = await signedIn()
    const page = await visitor.get(query)
    const answer = await visitor.submit(query, page, 'continue', { fields: { csrf: '' } })
    expect([answer.status, answer.location]).toEqual([403, null])
  })

  it('skips no sign-in that the request asks for', async () => {
    const { visitor, query } = await signedIn()
    const page = await visitor.get(query)
    const strict = query.replace('select_account', 'login+select_account')
    const answer = await visitor.submit(strict, page, 'continue')
    expect(textOf(answer.body)).toMatch(/^Sign in/)
  })

  it('is refused together with prompt=none', async () => {
    const { visitor, query } = await signedIn()
    const answer = await visitor.get(query.replace('select_account', 'none+select_account'))
    expect(responseIn(answer)).toMatchObject({ error: 'invalid_request' })
  })
})

describe('An id_token_hint of another user (OpenID Connect Core §3.1.2.1)', () => {
  /** A request for the first user, in the browser of the second. */
  async function wrongUser() {
    const [party, expected, present] = [await relyingParty(stack()), await person(stack()), await person(stack())]
    const { tokens } = await signIn(party, expected)
    await signIn(party, present)
    const { search } = await requestOf(party, { id_token_hint: tokens.id_token ?? '' })
    return { ...present, search, expected: expected.user }
  }

  it('is answered by a page that names the signed-in user and offers to change', async () => {
    const { visitor, user, search, expected } = await wrongUser()
    const page = await visitor.get(search)
    expect(page.status).toBe(200)
    expect(textOf(page.body)).toMatch(/^Another account is expected/)
    expect(textOf(page.body)).toContain(`Signed in as ${user.email}`)
    expect(page.body).not.toContain(expected.email)
    await visitor.submit(search, page, 'switch')
    await signInAt(visitor, search, expected.email)
    expect(responseIn(await visitor.get(search))).toMatchObject({ code: expect.any(String) })
  })

  it('does not go on with the signed-in user, by no form', async () => {
    const { visitor, search } = await wrongUser()
    for (const action of ['continue', 'allow']) {
      const answer = await visitor.submit(search, await visitor.get(search), action)
      expect([answer.status, textOf(answer.body)]).toEqual([200, expect.stringMatching(/^Another account is expected/)])
    }
  })

  it('comes back after a sign-in as the same user, instead of the sign-in form again', async () => {
    const { visitor, user, search } = await wrongUser()
    await visitor.submit(search, await visitor.get(search), 'switch')
    await signInAt(visitor, search, user.email)
    expect(textOf((await visitor.get(search)).body)).toMatch(/^Another account is expected/)
  })

  it('leads back to the client with login_required', async () => {
    const { visitor, search } = await wrongUser()
    const answer = await visitor.submit(search, await visitor.get(search), 'deny')
    expect(responseIn(answer)).toMatchObject({ error: 'login_required' })
  })
})
