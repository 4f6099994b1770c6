import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { DemoUser } from '../../../infra/data/demo.ts'
import { errorText } from '../../support/errorBody.ts'
import { everyOperation, mayWrite, on, operationsOf } from '../billingOperations.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()
const { send, statuses, startWatch, expectUntouched } = operationsOf(bed)

const own = () => bed.stack.client.info.demo.organization_id

describe('The billing operations', () => {
  describe('Given a request that is also ill-formed', () => {
    it.each(everyOperation)('%s answers 401 before 422, and 422 before 404 and 403', async (_, operation) => {
      const { stack } = bed
      const [stranger, member] = [await stack.token('stranger'), await stack.token('member')]
      await startWatch()
      expect((await send(operation, 'organization_id=x', { text: '{' })).status).toBe(401)
      expect((await send(operation, 'organization_id=x', { token: stranger })).status).toBe(422)
      expect((await send(operation, 'organization_id=x', { token: member })).status).toBe(422)
      if (operation.body !== undefined) {
        expect((await send(operation, on(own()), { token: stranger, text: '{}' })).status).toBe(422)
        expect((await send(operation, on(own()), { token: member, text: '{}' })).status).toBe(422)
      }
      await expectUntouched()
    })
  })

  describe('Given no token that is valid', () => {
    const bad: [string, (token: string) => Record<string, string>][] = [
      ['no token', () => ({})],
      ['an empty one', () => ({ authorization: 'Bearer ' })],
      ['nonsense', () => ({ authorization: 'Bearer nonsense' })],
      ['another scheme', (token) => ({ authorization: `Basic ${token}` })],
      ['two tokens', (token) => ({ authorization: `Bearer ${token} ${token}` })],
      ['a changed signature', (token) => ({ authorization: `Bearer ${token.slice(0, -8)}AAAAAAAA` })],
      ['a changed subject', (token) => ({ authorization: `Bearer ${withSubject(token, 'billing_admin')}` })],
      ['no signature', (token) => ({ authorization: `Bearer ${unsigned(token)}` })],
      ['a cookie', (token) => ({ cookie: `access_token=${token}` })],
    ]

    it.each(bad)('answer 401 and how to authenticate to %s', async (_, headersOf) => {
      const token = await bed.stack.token()
      await startWatch()
      for (const [, operation] of everyOperation) {
        const answer = await send(operation, `${on(own())}&access_token=${token}`, {
          headers: headersOf(token),
        })
        const code = String(answer.headers['www-authenticate']).includes('error=') ? 'invalid_token' : 'unauthorized'
        expect([answer.status, answer.text]).toEqual([401, errorText('Unauthorized', code)])
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/)
        expect(answer.headers['cache-control']).toBe('no-store')
      }
      expect(bed.stack.dynamoDb.calls()).toEqual([])
      await expectUntouched()
    })

    it('answer 401 to a token of 15 minutes ago, and not before', async () => {
      const { stack } = bed
      const token = await stack.token()
      await stack.emulator.advance(890)
      expect(await statuses(token, own())).toEqual(mayWrite)
      await stack.emulator.advance(11)
      await startWatch()
      expect(new Set(Object.values(await statuses(token, own())))).toEqual(new Set([401]))
      await expectUntouched()
    })
  })
})

function withSubject(token: string, user: DemoUser): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = z.looseObject({}).parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  const changed = { ...claims, sub: bed.stack.client.info.demo[user].id }
  return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ typ: 'at+jwt', alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}
