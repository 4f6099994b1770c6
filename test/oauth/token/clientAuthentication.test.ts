import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { maskRequestId } from '../../support/errorBody.ts'
import { issueCode, refusal, register, requestToken, SECRET } from './tokenRequests.ts'

const stack = useAccountsStack()

describe('POST /api/oauth/token from a client', () => {
  describe('Given credentials that do not match', () => {
    it.each(['json', 'form', 'basic'] as const)(
      'answers the same to an unknown client and a wrong secret as %s',
      async (as) => {
        const request = await issueCode(stack(), await register(stack()))
        const wrongSecret = await requestToken(stack(), { ...request, client_secret: 'wrong' }, as)
        const answers = [wrongSecret]
        for (const client_id of ['unknown', 'not well-formed', '-'.repeat(5000)]) {
          answers.push(await requestToken(stack(), { ...request, client_id }, as))
        }
        expect(wrongSecret).toMatchObject(refusal('invalid_client'))
        expect(wrongSecret.headers.get('www-authenticate')?.split(' ')[0]).toBe(as === 'basic' ? 'Basic' : undefined)
        const seen = answers.map(({ status, body }) => [status, maskRequestId(JSON.stringify(body))])
        expect(new Set(seen.map(String)).size).toBe(1)
      },
    )

    // [asvs 11.2.4] [threat 86]
    it('reads the store as often for an unknown client as for a wrong secret', async () => {
      const { credentials } = await register(stack())
      for (const change of [{ client_id: 'unknown' }, { client_id: 'not well-formed' }, { client_secret: 'wrong' }]) {
        stack().database.reset()
        await requestToken(stack(), { ...credentials, grant_type: 'refresh_token', ...change })
        expect(
          stack()
            .database.calls()
            .map(({ operation }) => operation),
        ).toEqual(['GetItem'])
      }
    })

    it('answers invalid_client before it looks at the grant type', async () => {
      const request = { client_id: 'unknown', client_secret: SECRET, grant_type: 'password' }
      expect(await requestToken(stack(), request)).toMatchObject(refusal('invalid_client'))
    })
  })

  describe('Given a client that is authenticated', () => {
    it.each(['password', 'constructor', 'Authorization_Code'])(
      'answers unsupported_grant_type to %s in a form and in JSON',
      async (grant_type) => {
        const { credentials } = await register(stack())
        for (const as of ['form', 'json'] as const) {
          const answer = await requestToken(stack(), { ...credentials, grant_type }, as)
          expect(answer).toMatchObject(refusal('unsupported_grant_type'))
        }
      },
    )

    // [asvs 10.4.4]
    it('answers unauthorized_client to a grant that the client may not use', async () => {
      const registered = await register(stack(), { grantTypes: ['refresh_token'] })
      const request = { ...registered.credentials, grant_type: 'authorization_code', code: 'any' }
      expect(await requestToken(stack(), request)).toMatchObject(refusal('unauthorized_client'))
    })
  })

  describe('Given a field that is missing', () => {
    it.each([
      ['client_id', 'invalid_request'],
      ['client_secret', 'invalid_client'],
      ['grant_type', 'invalid_request'],
    ] as const)('answers 422 in JSON to no %s, and %s in a form', async (field, code) => {
      const all = { ...(await register(stack())).credentials, grant_type: 'authorization_code', code: 'any' }
      const request = Object.fromEntries(Object.entries(all).filter(([name]) => name !== field))
      const { status, body } = await requestToken(stack(), request, 'json')
      const detail = [{ loc: ['body', field], msg: 'Field required', type: 'missing' }]
      expect({ status, body }).toEqual({ status: 422, body: { detail } })
      expect(await requestToken(stack(), request, 'form')).toMatchObject(refusal(code))
    })
  })
})
