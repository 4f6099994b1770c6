import { beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { formFields, textOf } from '../../oauth/authorize/page.ts'
import { signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { useAccounts } from '../../users/accounts/useAccounts.ts'
import { pendingVisitor, show } from './people.ts'

const accounts = useAccounts()
const { stack, mailbox } = accounts
const DAY = 24 * 3600

beforeAll(() => createTables(stack().documents, { billing: tables.billing }))

async function send(visitor: Visitor, fields: Record<string, string>) {
  const response = await fetch(`${stack().baseUrl}/api/auth/factor-reset`, {
    method: 'POST',
    headers: { ...visitor.cookieHeader },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  return { status: response.status, location: response.headers.get('location'), text: textOf(await response.text()) }
}

type Met = Awaited<ReturnType<typeof pendingVisitor>>
const act = ({ visitor, page }: Met, action: string) => {
  const { csrf = '', request = '' } = formFields(page.body)
  return send(visitor, { csrf, request, action })
}

/** The same user, whose password was right again. */
async function again(met: Met): Promise<Met> {
  const visitor = new Visitor(stack().baseUrl)
  await signInAt(visitor, met.query, met.user.email)
  return { ...met, visitor, page: await visitor.get(met.query) }
}

describe('The page of a lost second factor', () => {
  it('explains what can be asked for, and stores nothing by that', async () => {
    const met = await pendingVisitor(stack())
    expect(met.page.body).toContain('I have lost all of these')
    expect(await act(met, 'read')).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^Lost your second factor\?/),
    })
    expect(mailbox().mails()).toEqual([])
  })

  // [catch lostFactor.orOutdated]
  it('asks once, by mail too, and after 7 days without another owner the password alone signs in', async () => {
    const met = await pendingVisitor(stack())
    const asked = await act(met, 'request')
    expect(asked.text).toMatch(/^Your second factors will be removed .* Possible from .* UTC/)
    expect((await act(met, 'request')).text).toBe(asked.text)
    expect(mailbox().mails()).toHaveLength(1)
    expect((await act(met, 'complete')).text).toBe(asked.text)
    stack().advance(7 * DAY + 1)
    const later = await again(met)
    expect((await act(later, 'read')).text).toMatch(/^Remove your second factors/)
    expect((await act(later, 'complete')).text).toMatch(/^Your second factors were removed/)
    const visitor = new Visitor(stack().baseUrl)
    const answer = await signInAt(visitor, met.query, met.user.email)
    expect(answer.status).toBe(303)
    expect((await visitor.get(met.query)).location).toContain('code=')
  })

  it('is void once a second factor is shown', async () => {
    const met = await pendingVisitor(stack())
    await act(met, 'request')
    stack().advance(60)
    const back = await again(met)
    await show(back, 'recovery_code', met.user.recoveryCodes[0] ?? '')
    expect((await act(await again(met), 'read')).text).toMatch(/^Lost your second factor\?/)
  })

  it('leads back to the sign-in where none is pending in this browser', async () => {
    const met = await pendingVisitor(stack())
    stack().advance(601)
    expect(await act(met, 'request')).toMatchObject({
      status: 303,
      location: expect.stringContaining('/api/oauth/authorize?client_id='),
    })
    expect(mailbox().mails()).toEqual([])
  })

  it('takes no form of another site', async () => {
    const met = await pendingVisitor(stack())
    expect((await send(met.visitor, { action: 'request', csrf: 'x'.repeat(43), request: '' })).status).toBe(403)
    expect(mailbox().mails()).toEqual([])
  })
})
