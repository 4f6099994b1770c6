import { beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { signInAt } from '../../oauth/authorize/people.ts'
import { OTHER_PASSWORD, useAccounts } from '../../users/accounts/useAccounts.ts'
import { pendingVisitor, show } from './people.ts'

const { stack, mailbox, mailsTo, post } = useAccounts()
const DAY = 24 * 3600
const subject = 'Someone knows your password and failed the second step'

beforeAll(() => createTables(stack().documents, { billing: tables.billing }))

describe('A wrong code after a right password', () => {
  // [asvs 6.3.5] [catch mailFailedStep.writeMail] [threat 100.1]
  it.each(['totp', 'recovery_code'] as const)('is mailed once a day, however often it is sent: %s', async (factor) => {
    const met = await pendingVisitor(stack())
    for (let attempt = 0; attempt < 12; attempt += 1) await show(met, factor, '000000')
    await show(await pendingVisitor(stack(), met.user), factor, '000000')
    expect(mailsTo(met.user.email)).toMatchObject([{ subject }])
    stack().advance(DAY)
    await show(await pendingVisitor(stack(), met.user), factor, '000000')
    expect(mailsTo(met.user.email)).toMatchObject([{ subject }, { subject }])
  })

  it('has a link that sets a new password within a day, which ends what was pending', async () => {
    const met = await pendingVisitor(stack())
    await show(met, 'totp', '000000')
    const [mail] = mailsTo(met.user.email)
    const link = new URL(/https?:\S+purpose=reset_password\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    stack().advance(DAY - 60)
    const late = await pendingVisitor(stack(), met.user)
    const token = link.searchParams.get('token')
    expect((await post('/api/auth/password/reset', { token, password: OTHER_PASSWORD })).status).toBe(200)
    expect((await show(late, 'totp', met.user.code())).body).toContain('took too long')
  })

  it('is not mailed where the account knows the browser', async () => {
    const met = await pendingVisitor(stack())
    await show(met, 'totp', met.user.code())
    expect(mailsTo(met.user.email)).toMatchObject([{ subject: 'New sign-in to your account' }])
    stack().advance(13 * 3600)
    await signInAt(met.visitor, met.query, met.user.email)
    const page = await met.visitor.get(met.query)
    expect((await show({ ...met, page }, 'totp', '000000')).status).toBe(400)
    expect(mailbox().mails()).toHaveLength(1)
  })

  it('is said to be wrong also if the mail is not accepted', async () => {
    const met = await pendingVisitor(stack())
    mailbox().fail({ operation: 'SendEmail', times: 3 })
    expect((await show(met, 'totp', '000000')).status).toBe(400)
    expect(stack().logged()).toContain('Mail not sent')
  })
})
