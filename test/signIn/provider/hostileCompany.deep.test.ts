import { afterAll, beforeAll, it } from '@jest/globals'
import { useStackInBrowser } from '../../infra/console/useStackInBrowser.ts'
import { startOidcProvider } from '../../support/browser/useOidcProvider.ts'
import { keepLocal, signInAtOidcProvider } from './companyWalk.ts'
import { connectMember, hostilities, meetHostility, newHostileCompany } from './hostileAnswers.ts'
import { startHostileProxy } from './hostileProxy.ts'

const file = 'test/signIn/provider/hostileCompany'
const { describeInBrowser, runs, local, open } = useStackInBrowser(file, { COMPANY_SIGN_IN: 'on' })
const registration = { clientId: 'service', clientSecret: 'secret of the service' }
let company: Parameters<typeof meetHostility>[1]
const opened: { close(): Promise<void> | void }[] = []

beforeAll(async () => {
  if (!runs) return
  const redirectUri = `${local().info.base_url}/api/sso/callback`
  const provider = await startOidcProvider({ ...registration, redirectUri })
  const proxy = await startHostileProxy(provider.issuer)
  opened.push(proxy, provider)
  const { issuer } = proxy
  const strangerLogin = 'stranger'
  const shared = { client: local(), proxy, signInThere: signInAtOidcProvider, strangerLogin }
  company = { ...shared, ...(await newHostileCompany(local(), { ...registration, issuer })) }
})
afterAll(async () => {
  for (const { close } of opened) await close()
})

/** A browser of somebody who has never been here. */
async function newVisitor(locale: string) {
  const visitor = await open(undefined, locale)
  await keepLocal(visitor.page)
  return visitor
}

describeInBrowser('A hostile provider of a company, in a browser', () => {
  it('signs a member in while it is sound', async () => {
    const visitor = await newVisitor('en-US')
    await connectMember(visitor.page, company)
    await visitor.close()
  })

  // [threat 115.25 115.26 115.29]
  it.each(hostilities)('makes no account, link or session by $what, in English and German', async (hostility) => {
    for (const locale of ['en-US', 'de-DE']) {
      const visitor = await newVisitor(locale)
      await meetHostility(visitor.page, company, hostility, async () => {
        visitor.forgetRefusals(400, 403)
        await visitor.expectSoundEverywhere(`hostile-${hostility.what.replaceAll(' ', '-')}-${locale}`)
      })
      await visitor.close()
    }
  })
})
