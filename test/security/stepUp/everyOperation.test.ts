import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { errorAnswers } from '../../../lib/http/answer/errorAnswers.ts'
import type { Contract } from '../../../lib/http/contract.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorText, maskRequestId } from '../../support/errorBody.ts'
import { withBody } from './asking.ts'
import { expectServed, flagged, result, servedEvent, servedWithout, TOO_LONG } from './stepUpOperations.ts'

const bed = useBillingStack()

const mailsSent = async () => (await fetch(`${bed.stack.client.info.base_url}/_local/mail.json`)).text()

describe('A contract that asks for a recent sign-in', () => {
  it.each(flagged.map(({ row, contract }) => [row.name, contract] as const))(
    '%s names a member of its body',
    (_, contract) => {
      const { recentSignIn, body }: Contract = contract
      if (recentSignIn === undefined || recentSignIn === true) return
      const { where, is } = recentSignIn
      const schema = body instanceof z.ZodMiniObject ? body.shape[where] : undefined
      expect(schema).toBeDefined()
      if (is !== undefined) expect(z.custom<z.ZodMiniType>().parse(schema).safeParse(is).success).toBe(true)
    },
  )

  it('is each one that hands power over, takes it away, deletes what it is over, moves where links, invoices or events go, or sets a password', () => {
    expect(Object.fromEntries(flagged.map(({ row, contract }) => [row.name, contract.recentSignIn]))).toEqual({
      'auth-password-change': true,
      'billing-details-update': { where: 'email', ofUsers: true },
      'company-domain-create': true,
      'company-domain-delete': true,
      'company-domain-update': true,
      'company-domain-verify': true,
      'company-sso-delete': true,
      'company-sso-save': true,
      'organizations-api-client-create': true,
      'organizations-api-client-delete': true,
      'organizations-api-client-rotate': true,
      'organizations-delete': true,
      'organizations-invitation-resend': true,
      'organizations-invite': { where: 'role', is: 'owner' },
      'organizations-member-remove': true,
      'organizations-member-role': true,
      'organizations-sign-in-rules-update': true,
      'organizations-transfer': true,
      'users-me-delete': true,
      'users-me-email-change': true,
      'webhook-endpoint-create': true,
      'webhook-endpoint-delete': true,
      'webhook-endpoint-rotate': true,
      'webhook-endpoint-update': true,
    })
  })
})

describe('A request whose sign-in is older than ten minutes', () => {
  // [asvs 7.5.1 7.5.3 10.3.4] [threat 90]
  it.each(flagged.map((operation) => [operation.row.name, operation] as const))(
    '%s answers 401 with what to ask the user for, and writes, sends and calls nothing',
    async (_, { row, contract }) => {
      const { stack } = bed
      const event = withBody((await servedEvent(bed.stack, row)).event, contract.recentSignIn, true)
      if (event === undefined) throw new Error('no body asks')
      await stack.emulator.advance(TOO_LONG)
      await stack.emulator.flush()
      stack.dynamoDb.reset()
      await stack.emulator.clearRequests()
      const mails = await mailsSent()
      const answer = result.parse(await invokeFunction(row, event))
      const { detail, headers } = errorAnswers.insufficient_user_authentication
      expect([answer.statusCode, maskRequestId(answer.body)]).toEqual([
        401,
        errorText(detail, 'insufficient_user_authentication'),
      ])
      expect(answer.headers['www-authenticate']).toBe(headers['www-authenticate'])
      expect(stack.writes()).toEqual([])
      expect(await stack.emulator.requests()).toEqual([])
      expect(await mailsSent()).toBe(mails)
    },
  )

  it.each(
    flagged.flatMap((operation) =>
      operation.contract.recentSignIn === true ? [] : [[operation.row.name, operation] as const],
    ),
  )('%s is served with a body that does not ask for another one', async (_, { row, contract }) => {
    const { event, expectedStatus } = await servedEvent(bed.stack, row)
    const plain = withBody(event, contract.recentSignIn, false)
    if (plain === undefined) throw new Error('every body asks')
    await bed.stack.emulator.advance(TOO_LONG)
    expect(result.parse(await invokeFunction(row, plain)).statusCode).toBe(expectedStatus)
  })

  // The others are in the deep tests.
  it.each(servedWithout.filter(([name]) => name === 'users-me' || name === 'billing-checkout'))(
    '%s is served',
    (_, row) => expectServed(bed.stack, row),
  )
})
