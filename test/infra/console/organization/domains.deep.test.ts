import { expect, it } from '@jest/globals'
import * as z from 'zod'
import { newDomain } from '../../../../infra/local/samples/sampleDomains.ts'
import { useStackInBrowser } from '../useStackInBrowser.ts'

const { describeInBrowser, local, openAsOwnerBeforeEach } = useStackInBrowser('test/infra/console/organization/domains')
const opened = openAsOwnerBeforeEach('/domains', 'Domains')

/** The browser's console names the refusals that this is about. */
async function expectSound(name: string): Promise<void> {
  opened().forgetRefusals(401, 403, 409, 422)
  await opened().expectSoundEverywhere(name)
}

const field = (label: string) => opened().page.getByLabel(label, { exact: true })
const text = (words: string | RegExp) => opened().page.getByText(words).first().waitFor()
const play = (name: string, values: readonly string[]) =>
  local().send({ method: 'POST', path: '/_local/dns', body: { name, type: 'TXT', values } })
const stored = async () => {
  const token = await local().accessToken('owner')
  const path = `/api/organizations/${opened().organizationId}/domains`
  const { body } = await local().send({ method: 'GET', path, token })
  return z.object({ domains: z.array(z.looseObject({})) }).parse(body).domains
}

describeInBrowser('The domains of an organization', () => {
  it('are added, verified, opened to their people and deleted', async () => {
    await expectSound('domains-none')
    await field('Domain').fill('not a domain')
    await opened().button('Add domain').click()
    await text('Use a domain such as example.com')
    await expectSound('domains-refused')
    const domain = newDomain()
    await field('Domain').fill(domain)
    await opened().button('Add domain').click()
    await text('Not proven')
    const name = await field('Name of the TXT record').inputValue()
    const value = await field('Value of the TXT record').inputValue()
    expect(name).toBe(`_domain-proof.${domain}`)
    await opened().button(`Verify ${domain}`).click()
    await text('There is no TXT record of this name yet')
    await expectSound('domains-no-record')
    await play(name, ['another'])
    await opened().button(`Verify ${domain}`).click()
    await text('has another value')
    await play(name, [value])
    await opened().button(`Verify ${domain}`).click()
    await text('We look for its record each week')
    await field(`People with an address at ${domain}`).selectOption('join')
    await text('Saved')
    expect(await stored()).toMatchObject([{ domain, status: 'verified', membership: 'join' }])
    await expectSound('domains-verified')
    await opened().button(`Delete ${domain}`).click()
    await opened().button('Delete domain').click()
    await text('No domain yet')
    expect(await stored()).toEqual([])
  })
})
