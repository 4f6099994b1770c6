import { describe, expect, it } from '@jest/globals'
import { decideDevice } from '../../../lib/oauth/device/decideDevice.ts'
import { requestDevice } from '../../../lib/oauth/device/requestDevice.ts'
import { DEVICE_CODE, type OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { exchangeDeviceCode } from '../../../lib/oauth/token/exchangeDeviceCode.ts'
import { backchannelLogout } from '../../../lib/signIn/provider/backchannelLogout.ts'
import { exchangeCode, openCompanyBrowser } from './companyBrowser.ts'
import { application, createCompanyService, outcomeOf, requestOf } from './companyService.ts'
import { DOMAIN, foundCompany, ISSUER } from './month/foundCompany.ts'

const partner: OAuthClient = {
  ...application,
  ...{ clientId: 'partner', type: 'public', firstParty: false, grantTypes: [DEVICE_CODE, 'authorization_code'] },
}

/** An employee who has signed on in a browser, of a company whose provider may sign them out. */
async function signedOn() {
  const service = createCompanyService()
  const { organizationId } = await foundCompany(service, service.now())
  const deps = {
    ...service.deps,
    clients: { find: async () => partner },
    consents: { find: async () => undefined, give: async () => {}, list: async () => [], withdraw: async () => {} },
  }
  const own = { ...service, deps } as typeof service
  const browser = openCompanyBrowser(own, '198.51.100.7')
  const person = { subject: 's', email: `ada@${DOMAIN}`, isEmailVerified: true, hasTwoFactors: true }
  await browser.signOn(organizationId, { ...person, signedInAt: service.now() })
  return {
    ...{ deps, browser, service: own },
    logOut: () => {
      const token = service.providers.logoutToken(ISSUER, { subject: 's' })
      return backchannelLogout(deps, { organizationId, token })
    },
  }
}

/** A device that its user has allowed, and that has not asked since. */
async function allowedDevice({ deps, browser }: Awaited<ReturnType<typeof signedOn>>) {
  const sent = { clientId: 'partner', clientSecret: '', scope: undefined, sourceIp: '198.51.100.7' }
  const { userCode, deviceCode } = await requestDevice(deps, sent)
  const session = await browser.session()
  if (session === undefined) throw new Error('not signed in')
  const form = { action: 'allow', userCode, sourceIp: '198.51.100.7' } as const
  expect(await decideDevice(deps, session, form)).toMatchObject({ step: 'allowed' })
  const request = { clientId: 'partner', clientSecret: '', grantType: DEVICE_CODE, deviceCode }
  return () => outcomeOf(() => exchangeDeviceCode(deps, partner, request))
}

describe('What was allowed before the company’s provider signs its user out', () => {
  // [threat 115.37]
  it('gives a device tokens while nobody is signed out, and none afterwards', async () => {
    const [before, after] = [await signedOn(), await signedOn()]
    expect(await (await allowedDevice(before))()).toBe('served')
    const poll = await allowedDevice(after)
    await after.logOut()
    expect(await poll()).toBe('invalid_grant')
  })

  it('gives no device tokens if the browser has begun another session in between', async () => {
    const { browser, ...all } = await signedOn()
    const poll = await allowedDevice({ browser, ...all })
    await all.service.register('eve@example.com', 'the phrase of eve')
    await browser.signIn({ email: 'eve@example.com', password: 'the phrase of eve', secret: undefined })
    await all.logOut()
    expect(await poll()).toBe('invalid_grant')
  })

  it('gives a client of another company no tokens for its code', async () => {
    const { service, browser, logOut } = await signedOn()
    const query = requestOf({ client_id: 'partner' })
    const asked = await browser.authorize(query)
    expect(asked.step).toBe('consent')
    const allowed = await browser.allow(query)
    await logOut()
    expect(await outcomeOf(() => exchangeCode(service, allowed, partner))).toBe('invalid_grant')
  })
})
