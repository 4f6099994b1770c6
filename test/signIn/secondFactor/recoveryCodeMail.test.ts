import { beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { useRecoveryCode } from '../../../lib/authenticators/recovery/useRecoveryCode.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { formFields } from '../../oauth/authorize/page.ts'
import { PASSWORD } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'
import { useAccounts } from '../../users/accounts/useAccounts.ts'
import { pendingVisitor, show, userWithTotp } from './people.ts'

const { stack, mailbox, mailsTo: allMailsTo } = useAccounts()

/** Mails to an address, newest first, without those about the browser. */
const mailsTo = (email: string) =>
  allMailsTo(email).filter(({ subject }) => !/^(New sign-in|Neue Anmeldung)/.test(subject))
const { billing, auditLog } = tables

beforeAll(async () => {
  await createTables(stack().documents, { billing, auditLog })
  process.env.AUDIT_LOG_TABLE = auditLog.localName
})

/** Sends a form of the security page as a browser does. */
async function sendSecurity(visitor: Visitor, fields: Record<string, string>, page = '') {
  const answer = await fetch(`${stack().baseUrl}/api/account/security`, {
    ...(page !== '' && { method: 'POST', body: new URLSearchParams({ ...formFields(page), ...fields }) }),
    headers: { ...visitor.cookieHeader },
    redirect: 'manual',
  })
  for (const cookie of answer.headers.getSetCookie()) visitor.keep(cookie)
  return { status: answer.status, body: await answer.text() }
}

describe('A recovery code that signs in', () => {
  it('is mailed to its user, with how many are left, in the language of the page', async () => {
    const met = await pendingVisitor(stack())
    const [first = '', second = ''] = met.user.recoveryCodes
    expect((await show(met, 'recovery_code', first)).status).toBe(303)
    expect(mailsTo(met.user.email)).toMatchObject([
      { subject: 'A recovery code was used', text: expect.stringContaining('9 codes are left') },
    ])
    expect(mailsTo(met.user.email)[0]?.text).not.toContain(first)

    const again = await pendingVisitor(stack(), met.user)
    await show(again, 'recovery_code', second, { headers: { 'accept-language': 'de' } })
    expect(mailsTo(met.user.email)[0]).toMatchObject({
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      text: expect.stringContaining('noch 8 Codes übrig'),
    })
  })

  it('is mailed where it signs in to the page of authenticators', async () => {
    const user = await userWithTotp(stack())
    const visitor = new Visitor(stack().baseUrl)
    const asked = await sendSecurity(visitor, {})
    const fields = { action: 'login', email: user.email, password: PASSWORD }
    expect(await sendSecurity(visitor, fields, asked.body)).toMatchObject({ status: 303 })
    const page = await sendSecurity(visitor, {})
    const proof = { action: 'second_factor', factor: 'recovery_code', proof: user.recoveryCodes[0] ?? '' }
    expect(await sendSecurity(visitor, proof, page.body)).toMatchObject({ status: 303 })
    expect(mailsTo(user.email)).toMatchObject([{ subject: 'A recovery code was used' }])
  })

  it('signs in though the mail is not accepted, and no address is logged', async () => {
    const met = await pendingVisitor(stack())
    mailbox().fail({ operation: 'SendEmail', times: 6 })
    expect((await show(met, 'recovery_code', met.user.recoveryCodes[0] ?? '')).status).toBe(303)
    expect(mailbox().mails()).toEqual([])
    expect(stack().logged()).toContain('Mail not sent')
    expect(stack().logged()).not.toContain(met.user.email)
  })

  it('signs in though what the mail says cannot be read', async () => {
    const { id: userId, recoveryCodes } = await userWithTotp(stack())
    const lines: unknown[] = []
    const log = (...line: unknown[]) => void lines.push(line)
    const deps = {
      ...stack().authenticatorDeps,
      authenticators: { list: () => Promise.reject(new CommonError('service_unavailable')) },
      mailer: { send: async () => void lines.push('sent'), discard: async () => {} },
      logger: { info: log, warn: log, error: log },
      branding: plainBranding,
      activity: createActivityInMemory().activity,
      accountUrl: 'https://accounts.example.com',
    }
    await useRecoveryCode(deps, { userId, code: recoveryCodes[0] ?? '', language: 'en' })
    expect(lines).toEqual([['Mail not sent', { reason: expect.any(String) }]])
  })
})

describe('Given a code that is wrong or used, or another second factor', () => {
  it('mails nothing about a recovery code', async () => {
    const met = await pendingVisitor(stack())
    const [code = ''] = met.user.recoveryCodes
    await show(met, 'recovery_code', 'aaaaa-aaaaa-aaaaa-aaaaa')
    await show(met, 'totp', '000000')
    const used = () =>
      mailbox()
        .mails()
        .filter(({ subject }) => subject === 'A recovery code was used')
    expect(used()).toEqual([])
    await show(met, 'recovery_code', code)
    const again = await pendingVisitor(stack(), met.user)
    await show(again, 'recovery_code', code)
    await show(again, 'totp', met.user.code())
    expect(used()).toHaveLength(1)
  })
})
