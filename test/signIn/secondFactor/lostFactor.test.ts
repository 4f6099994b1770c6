import { beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { formFields, textOf } from '../../oauth/authorize/page.ts'
import { signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { useAccounts } from '../../users/accounts/useAccounts.ts'
import { pendingVisitor, show, userWithTotp } from './people.ts'

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

/** Presses the button behind the link in the newest mail. */
async function useLink() {
  const [mail] = mailbox().mails()
  const [, token = ''] = /purpose=confirm_factor_reset&token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  const fields = new URLSearchParams({ purpose: 'confirm_factor_reset', token })
  const response = await fetch(`${stack().baseUrl}/api/auth/link`, { method: 'POST', body: fields })
  return { status: response.status, text: textOf(await response.text()) }
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

  // [catch lostFactor.lostFactor] [threat 103]
  it('asks once, removes nothing until its mailed link was used, and then the password alone signs in after 7 days', async () => {
    const met = await pendingVisitor(stack())
    const asked = await act(met, 'request')
    expect(asked.text).toMatch(/^Confirm the removal by email .* went to /)
    expect((await act(met, 'request')).text).toBe(asked.text)
    expect(mailbox().mails()).toHaveLength(1)
    stack().advance(DAY / 2)
    const confirmed = await useLink()
    expect(confirmed).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^Your second factors will be removed .* UTC/),
    })
    const waiting = await again(met)
    expect((await act(waiting, 'read')).text).toContain(confirmed.text.slice(0, 200))
    expect((await act(waiting, 'complete')).text).toMatch(/^Your second factors will be removed/)
    stack().advance(7 * DAY + 1)
    const later = await again(met)
    expect((await act(later, 'read')).text).toMatch(/^Remove your second factors/)
    expect((await act(later, 'complete')).text).toMatch(/^Your second factors were removed/)
    const visitor = new Visitor(stack().baseUrl)
    const answer = await signInAt(visitor, met.query, met.user.email)
    expect(answer.status).toBe(303)
    expect((await visitor.get(met.query)).location).toContain('code=')
  })

  it('sends the mail again, five times at once, and then says when', async () => {
    const met = await pendingVisitor(stack())
    await act(met, 'request')
    for (let sent = 1; sent < 5; sent += 1) expect((await act(met, 'send_again')).status).toBe(200)
    const refused = await act(met, 'send_again')
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('Too many attempts') })
    expect(mailbox().mails()).toHaveLength(5)
  })

  it('removes nothing by a link that was used, or whose password has changed since', async () => {
    const met = await pendingVisitor(stack())
    await act(met, 'request')
    await useLink()
    expect((await useLink()).status).toBe(400)
    const other = await pendingVisitor(stack())
    await act(other, 'request')
    const account = await stack().accounts.find(other.user.id)
    if (account === undefined) throw new Error('no account')
    await stack().accounts.changePassword(account, { passwordHash: 'other', keptFamily: undefined })
    expect((await useLink()).status).toBe(400)
  })

  // [threat 103]
  it('is void once a second factor of more than 14 days is shown', async () => {
    const user = await userWithTotp(stack())
    stack().advance(15 * DAY)
    const met = await pendingVisitor(stack(), user)
    await act(met, 'request')
    stack().advance(60)
    const back = await again(met)
    await show(back, 'recovery_code', met.user.recoveryCodes[0] ?? '')
    expect((await act(await again(met), 'read')).text).toMatch(/^Lost your second factor\?/)
  })

  it('leads back to the sign-in where none is pending in this browser', async () => {
    const met = await pendingVisitor(stack())
    stack().advance(602)
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
