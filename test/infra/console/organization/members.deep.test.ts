import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { shopperOf } from '../sellProducts.ts'
import { type OwnersConsole, useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, runs, local, open, openAsOwner } = useStackInBrowser(
  'test/infra/console/organization/members',
)
let owner: OwnersConsole
beforeAll(async () => {
  if (!runs) return
  const { organizationId, post } = await shopperOf(local())
  await post(`/api/organizations/${organizationId}/invitations`, { email: 'grace@acme.example', role: 'member' })
  owner = await openAsOwner('/members', 'Members', organizationId)
})
afterAll(() => owner?.close())

const names = () =>
  owner.page
    .getByRole('region', { name: /^Members/ })
    .getByRole('heading', { level: 3 })
    .allTextContents()

describeInBrowser('The members of an organization', () => {
  it('are searched, filtered by role and by second factor, and sorted', async () => {
    const { page } = owner
    const { member, billing_admin } = local().info.demo
    await owner.loaded()
    expect(await names()).toHaveLength(3)
    await page.getByLabel('Search by name or address').fill(member.email)
    expect(await names()).toEqual([expect.stringContaining(member.username)])
    await page.getByLabel('Search by name or address').fill('nobody at all')
    await page.getByText('No member matches').waitFor()
    await owner.expectSoundEverywhere('members-none')
    await owner.button('Show all members').click()
    await page.getByLabel('Role', { exact: true }).last().selectOption('Billing admin')
    expect(await names()).toEqual([expect.stringContaining(billing_admin.username)])
    await page.getByLabel('Role', { exact: true }).last().selectOption('Every role')
    await page.getByLabel('Second factor').selectOption('With')
    await page.getByText('No member matches').waitFor()
    await page.getByLabel('Second factor').selectOption('With or without')
    await page.getByLabel('Sort by').selectOption('Role')
    expect(await names()).toEqual([
      expect.stringContaining(local().info.demo.owner.username),
      expect.stringContaining(billing_admin.username),
      expect.stringContaining(member.username),
    ])
    await owner.expectSoundEverywhere('members')
  })

  it('become owners after a question, and the change is undone with a button', async () => {
    const { member } = local().info.demo
    const role = owner.page.getByLabel(`Role of ${member.username}`)
    await role.selectOption('Owner')
    await owner.page.getByRole('dialog', { name: `Make ${member.username} an owner?` }).waitFor()
    await owner.expectSoundEverywhere('members-promote')
    await owner.button('Keep the role').click()
    expect(await role.inputValue()).toBe('member')
    await role.selectOption('Owner')
    await owner.button('Make owner').click()
    await owner.said(`${member.username} is now an owner`)
    await owner.expectSoundEverywhere('members-undo')
    expect(await role.inputValue()).toBe('owner')
    await owner.button('Undo').click()
    await owner.said(`${member.username} is now a member`)
    expect(await role.inputValue()).toBe('member')
  })

  it('who are invited get their invitation again', async () => {
    await owner.button('Send again to grace@acme.example').click()
    await owner.said('A new link was mailed to grace@acme.example')
  })

  it('are searched by a member too, who sees neither addresses nor second factors', async () => {
    const member = await open()
    await member.open(`organizations/${owner.organizationId}/members`)
    await member.signIn(local().info.demo.member)
    await member.page.getByLabel('Search by name', { exact: true }).waitFor()
    expect(await member.page.getByText('second factor').count()).toBe(0)
    await member.expectSoundEverywhere('members-member')
    await member.close()
  })
})
