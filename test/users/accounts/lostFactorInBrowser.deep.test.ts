import { randomUUID } from 'node:crypto'
import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { approvalUrl } from '../../../lib/mail/securityUrl.ts'
import { texts } from '../../../lib/texts/texts.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { checkLook, examinedLooks, type LookName, looks } from './checkLook.ts'
import { useHostedPages } from './links/hostedPages.ts'

const { browser, describeInBrowser, opened } = useBrowser('test/users/accounts/lostFactorInBrowser')

const { stack, advance, client, mailsTo } = useHostedPages()
const DAY = 24 * 3600

const wordsOf = (look: LookName) => texts[looks[look].locale.startsWith('de') ? 'de' : 'en']
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Waits for the page with this heading, and checks how it looks. */
async function examine(page: Page, look: LookName, title: string, name: string): Promise<void> {
  await heading(page, title)
  await checkLook(page, `${name}-${look}`)
}

/** A browser of its own in which a password was right for this page. */
async function signedIn(look: LookName, email: string, url = '/api/account/security'): Promise<Page> {
  const context = await browser().newContext({ ...looks[look] })
  opened.push({ close: () => context.close() })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(new URL(url, stack().info.base_url).href)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(samplePassword)
  await press(page, wordsOf(look).signIn.button)
  return page
}

/** The same, who has lost the second factor that is asked for then. */
async function withLostFactor(look: LookName, email: string): Promise<Page> {
  const page = await signedIn(look, email)
  await press(page, wordsOf(look).lostFactor.link)
  return page
}

/** Makes one user an owner, and another a member, of a new organization. Returns the page on which the owner approves. */
async function organizationOf(ownerId: UserId, userId: UserId): Promise<string> {
  const { info } = stack()
  const documents = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  const organizationId = organizationIdSchema.parse(randomUUID())
  const seed = createOrganizationSeed(documents, info.tables.billing)
  await seed.create({ id: organizationId, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' })
  await seed.setMembership(organizationId, ownerId, 'owner')
  await seed.setMembership(organizationId, userId, 'member')
  documents.destroy()
  return approvalUrl('', { organizationId, userId })
}

async function owner() {
  const { email, accessToken: token } = await signUp(client())
  const { body } = await client().send({ method: 'GET', path: '/api/users/me', token })
  return { email, id: userIdSchema.parse(Object(body).id) }
}

/** Follows the link in the newest mail to this address, in another browser, and presses its button. */
async function confirm(look: LookName, email: string): Promise<Page> {
  const { title, button } = wordsOf(look).links.confirm_factor_reset
  const link = (await mailsTo(email))
    .map(({ text }) => /https?:\S+confirm_factor_reset\S+/.exec(text)?.[0])
    .find(Boolean)
  const context = await browser().newContext({ ...looks[look] })
  opened.push({ close: () => context.close() })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(link ?? '')
  await examine(page, look, title, 'lost-confirm')
  await press(page, button)
  await heading(page, wordsOf(look).lostFactor.waiting.title)
  return page
}

const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

describeInBrowser('The pages of a lost second factor in a browser', () => {
  it.each(examinedLooks)('meet WCAG 2.2 AA, and a new factor does not stop the removal: %s', async (look) => {
    const { lostFactor, security, secondFactor, mails } = wordsOf(look)
    const user = await enrollFactors(client())
    const mine = await signedIn(look, user.email)
    await heading(mine, secondFactor.title)
    await mine
      .locator('input[name=proof]')
      .first()
      .fill(await user.code())
    await press(mine, secondFactor.totp.button)
    await heading(mine, security.title)

    const lost = await withLostFactor(look, user.email)
    await examine(lost, look, lostFactor.none.title, 'lost-none')
    await press(lost, lostFactor.request)
    await examine(lost, look, lostFactor.unconfirmed.title, 'lost-unconfirmed')
    await press(lost, lostFactor.send_again)
    await heading(lost, lostFactor.unconfirmed.title)
    expect((await subjects(user.email)).slice(0, 2)).toEqual(Array(2).fill(mails.factorResetRequested.subject))
    await confirm(look, user.email)

    await mine.reload()
    await mine.getByText(security.ownReset.text).waitFor()
    await checkLook(mine, `lost-notice-${look}`)
    await press(mine, security.ownReset.stop)
    await mine.getByText(security.problems.reset_not_stopped).waitFor()
    await checkLook(mine, `lost-not-stopped-${look}`)

    await advance(7 * DAY + 60)
    const due = await withLostFactor(look, user.email)
    await examine(due, look, lostFactor.due.title, 'lost-due')
    await press(due, lostFactor.complete)
    await examine(due, look, lostFactor.done.title, 'lost-done')
  })

  it.each(examinedLooks)('meet WCAG 2.2 AA where an owner approves: %s', async (look) => {
    const { lostFactor, security, mails } = wordsOf(look)
    const [user, { email, id }] = [await enrollFactors(client()), await owner()]
    const url = await organizationOf(id, user.userId)
    const lost = await withLostFactor(look, user.email)
    await press(lost, lostFactor.request)
    await heading(lost, lostFactor.unconfirmed.title)
    const confirmed = await confirm(look, user.email)
    await confirmed.getByText(lostFactor.askOwners).waitFor()
    await checkLook(confirmed, `lost-confirmed-${look}`)
    const waiting = await withLostFactor(look, user.email)
    await waiting.getByText(lostFactor.askOwners).waitFor()
    await checkLook(waiting, `lost-waiting-${look}`)
    await press(waiting, lostFactor.send_again)
    expect((await subjects(email)).slice(0, 2)).toEqual(Array(2).fill(mails.factorResetApprovalAsked.subject))
    const approving = await signedIn(look, email, url)
    await examine(approving, look, security.reset.title, 'approve')
    await press(approving, security.reset.approve)
    await approving.getByText(security.done.reset_approved).waitFor()
    await approving.goto(new URL(url, stack().info.base_url).href)
    await approving.getByText(security.reset.approved).waitFor()
    await checkLook(approving, `approved-${look}`)
  })
})
