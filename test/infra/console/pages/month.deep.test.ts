import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { TOTP } from 'otpauth'
import * as z from 'zod'
import { signUp } from '../../../../infra/local/samples/sampleAccounts.ts'
import { invite } from '../../../../infra/local/samples/sampleInvitation.ts'
import { createEmulator } from '../../../support/emulator.ts'
import type { OpenedConsole } from '../openConsole.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open } = useStackInBrowser('test/infra/console/pages/month')
const NEW_PASSWORD = 'quiet river under 7 bridges'
const mailList = z.array(z.object({ to: z.string(), text: z.string() }))
const created = z.object({ id: z.string() })
const clockAnswer = z.object({ now: z.number() })

/** What a step asks of a person: pages to read, fields to fill in, presses of a button or link; mails to open. */
interface Effort {
  pages: number
  fields: number
  presses: number
  mails: number
}

let ada: OpenedConsole
let email: string
let effort: Effort
let key = ''
let codes: string[] = []
let organizations: readonly string[] = []

beforeAll(async () => {
  if (!runs) return
  email = (await signUp(local())).email
  ada = await open()
  ada.page.setDefaultTimeout(15_000)
  organizations = ['Harbor Works', 'Lighthouse Ltd', 'Quay']
})
afterAll(() => ada?.close())

/** Plays a step, which has to ask exactly this. */
async function expectEffort(asked: Effort, step: () => Promise<void>): Promise<void> {
  effort = { pages: 0, fields: 0, presses: 0, mails: 0 }
  await step()
  expect(ada.errors).toEqual([])
  expect(effort).toEqual(asked)
}

async function sees(name: string | RegExp): Promise<void> {
  await ada.heading(name)
  effort.pages += 1
}
async function types(label: string, text: string): Promise<void> {
  await ada.page.getByLabel(label, { exact: true }).first().fill(text)
  effort.fields += 1
}
async function presses(name: string): Promise<void> {
  await ada.page.getByRole('button', { name, exact: true }).last().click()
  effort.presses += 1
}
async function follows(name: string): Promise<void> {
  await ada.page.getByRole('link', { name, exact: true }).first().click()
  effort.presses += 1
}

/** Opens the newest mail's link with this purpose in the same browser. */
async function opensMail(purpose: string): Promise<void> {
  const { body } = await local().send({ method: 'GET', path: '/_local/mail.json' })
  const links = mailList
    .parse(body)
    .flatMap(({ to, text }) => (to === email ? (/https?:\S+/.exec(text)?.[0] ?? []) : []))
  const link = links.find((one) => one.includes(`purpose=${purpose}`))
  expect(link).toBeDefined()
  await ada.page.goto(link ?? '')
  effort.mails += 1
}

const wait = (seconds: number) => createEmulator(local().info.stripe.api_base).advance(seconds)

async function codeNow(): Promise<string> {
  const response = await fetch(`${local().info.stripe.api_base}/_emulator/clock`)
  const { now } = clockAnswer.parse(await response.json())
  return new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: now * 1000 })
}

async function invitedTo(name: string): Promise<string> {
  const token = (await local().signIn('owner')).access_token
  const { body } = await local().send({ method: 'POST', path: '/api/organizations', token, body: { name } })
  const { id } = created.parse(body)
  await invite(local(), { organizationId: id, email })
  return id
}

describeInBrowser('A month of an ordinary user asks', () => {
  it('2 fields and 5 presses to get in again after a forgotten password', async () => {
    await ada.open()
    await expectEffort({ pages: 6, fields: 2, presses: 5, mails: 1 }, async () => {
      await presses('Sign in')
      await sees('Sign in')
      await follows('Forgot password?')
      await sees('Forgot your password?')
      await types('Email address', email)
      await presses('Send link')
      await sees('Check your email')
      await opensMail('reset_password')
      await sees('Choose a new password')
      await types('New password', NEW_PASSWORD)
      await presses('Set password')
      await sees('Password changed')
      await follows('Continue')
      await sees('Name your organization')
    })
  })

  it('a press for an invitation in a mail, and a press for each in the console', async () => {
    const [first = '', second = '', third = ''] = organizations
    await invitedTo(first)
    await expectEffort({ pages: 2, fields: 0, presses: 1, mails: 1 }, async () => {
      await opensMail('invitation')
      await sees(`Join ${first}`)
      await presses('Join')
      await sees(`Welcome to ${first}`)
    })
    await invitedTo(second)
    await invitedTo(third)
    await ada.open()
    await expectEffort({ pages: 0, fields: 0, presses: 1, mails: 0 }, async () => {
      await presses(`Accept the invitation of ${second}`)
      await ada.said(`You are now a member of ${second}`)
    })
    await ada.open()
    await expectEffort({ pages: 0, fields: 0, presses: 1, mails: 0 }, async () => {
      await presses(`Decline the invitation of ${third}`)
      await ada.said(`You declined the invitation of ${third}`)
    })
  })

  it('2 fields and 2 presses for another address, which the mail to it confirms', async () => {
    await ada.open('profile')
    await ada.heading('Your profile')
    const next = `moved-${email}`
    await expectEffort({ pages: 2, fields: 2, presses: 2, mails: 1 }, async () => {
      await types('New email address', next)
      await types('Current password', NEW_PASSWORD)
      await presses('Change email address')
      await ada.said(next)
      email = next
      await opensMail('change_email')
      await sees('Confirm your new email address')
      await presses('Confirm new email address')
      await sees('Email address changed')
    })
  })

  it('a code to set up an app, one press for recovery codes, and one to sign out elsewhere', async () => {
    // The change of the address has ended the hosted session.
    await ada.page.goto(`${local().info.base_url}/api/account/security`)
    await ada.enterPassword({ email, password: NEW_PASSWORD })
    await expectEffort({ pages: 2, fields: 1, presses: 4, mails: 0 }, async () => {
      await sees('Sign-in and security')
      await presses('Set up an authenticator app')
      await sees('Set up an authenticator app')
      key = (await ada.page.locator('code.key').textContent()) ?? ''
      await types('Code that the app shows', await codeNow())
      await presses('Confirm')
      await ada.page.getByText('The authenticator app was set up.').waitFor()
      await presses('Sign out other sessions')
      await ada.page.getByText('Every session from before your second factor was signed out').waitFor()
      await presses('Create recovery codes')
      await ada.page.locator('textarea.codes').waitFor()
      codes = (await ada.page.locator('textarea.codes').inputValue()).trim().split('\n')
    })
    expect(codes).toHaveLength(10)
  })

  it('a recovery code instead of the phone that is lost', async () => {
    await ada.page.context().clearCookies()
    await ada.page.evaluate('localStorage.clear()')
    await wait(60)
    await ada.open()
    await expectEffort({ pages: 2, fields: 3, presses: 4, mails: 0 }, async () => {
      await presses('Sign in')
      await sees('Sign in')
      await types('Email address', email)
      await types('Password', NEW_PASSWORD)
      await presses('Sign in')
      await sees('Confirm that it’s you')
      await ada.page.getByText('Use a recovery code instead').click()
      effort.presses += 1
      await types('Recovery code', codes[0] ?? '')
      await presses('Use recovery code')
      await ada.heading(/./)
    })
  })

  it('2 presses to leave an organization', async () => {
    const [first = ''] = organizations
    await ada.open()
    await ada.page.getByText(first).first().waitFor()
    await ada.page.getByRole('link', { name: first }).first().click()
    await ada.goTo('Settings')
    await expectEffort({ pages: 0, fields: 0, presses: 2, mails: 0 }, async () => {
      await ada.button('Leave organization').click()
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click()
      effort.presses += 2
      await ada.said(`You have left ${first}`)
    })
  })

  it('7 days, a press and a mail, once the phone and the codes are lost', async () => {
    await ada.page.context().clearCookies()
    await ada.page.evaluate('localStorage.clear()')
    await ada.page.goto(`${local().info.base_url}/api/account/security`)
    await expectEffort({ pages: 6, fields: 2, presses: 4, mails: 1 }, async () => {
      await sees('Sign in')
      await types('Email address', email)
      await types('Password', NEW_PASSWORD)
      await presses('Sign in')
      await sees('Confirm that it’s you')
      await presses('I have lost all of these')
      await sees(/./)
      await presses('Ask to remove them')
      await sees(/./)
      await opensMail('confirm_factor_reset')
      await sees(/./)
      await presses('Remove them in 7 days')
      await sees(/./)
    })
  })
})
