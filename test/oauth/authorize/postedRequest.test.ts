import { describe, expect, it } from '@jest/globals'
import { readPostedRequest } from '../../../lib/oauth/authorize/authorizeParameters.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from './page.ts'
import { queryOf, registerClient, responseIn, signedInVisitor } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()

/** Where another site's form goes: its browser sends no cookie of ours. */
const foreign = {
  withoutCookie: true,
  headers: { origin: 'https://client.example.com', 'sec-fetch-site': 'cross-site' },
}

describe('An authorization request by POST (OpenID Connect Core §3.1.2.1)', () => {
  it('is answered as by GET, also where another site posts it', async () => {
    const { visitor } = await signedInVisitor(stack())
    const client = await registerClient(stack(), { firstParty: true })
    const request = queryOf(client)
    const answer = await visitor.post('', request, foreign)
    expect(answer).toMatchObject({ status: 303, body: '' })
    expect(answer.headers.getSetCookie()).toEqual([])
    const query = (answer.location ?? '').replace(/^\?/, '')
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual(Object.fromEntries(new URLSearchParams(request)))
    expect(responseIn(await visitor.get(query))).toMatchObject({ code: expect.any(String) })
  })

  it('asks who is not signed in, and takes the form of that page', async () => {
    const client = await registerClient(stack())
    const visitor = new Visitor(stack().baseUrl)
    const { location } = await visitor.post('', queryOf(client), foreign)
    const query = (location ?? '').replace(/^\?/, '')
    const page = await visitor.get(query)
    expect(textOf(page.body)).toMatch(/^Sign in/)
    const fields = { email: 'stranger@example.com', password: 'wrong' }
    expect((await visitor.submit(query, page, 'login', { fields })).status).toBe(400)
  })

  it('keeps what is repeated, which GET refuses, and nothing else of the form', async () => {
    const { visitor, client } = await signedInVisitor(stack())
    const { location } = await visitor.post('', `${queryOf(client)}&state=other&password=secret&csrf=secret`)
    expect(location).not.toContain('secret')
    expect(responseIn(await visitor.get((location ?? '').replace(/^\?/, '')))).toMatchObject({
      error: 'invalid_request',
    })
  })

  it('is refused where it is too long for an address', async () => {
    const { visitor, client } = await signedInVisitor(stack())
    const answer = await visitor.post('', `${queryOf(client)}&id_token_hint=${'x'.repeat(8192)}`)
    expect(answer).toMatchObject({ status: 400, location: null })
  })

  it('is no way around the protection of forms: what has an action is a form of this service', async () => {
    const { visitor, client, query } = await signedInVisitor(stack())
    const answer = await visitor.post(query, `${queryOf(client)}&action=allow`, { headers: foreign.headers })
    expect(answer).toMatchObject({ status: 403, location: null })
    expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ error: 'consent_required' })
    expect((await visitor.post(query, 'csrf=x')).status).toBe(400)
    expect(readPostedRequest('client_id=a&action=')).toBeUndefined()
  })
})
