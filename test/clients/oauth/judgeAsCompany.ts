import type { Page } from 'playwright-core'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { keepLocal, type SignInThere } from '../../signIn/provider/companyWalk.ts'
import { connectMember, hostilities, meetHostility, newHostileCompany } from '../../signIn/provider/hostileAnswers.ts'
import { startHostileProxy } from '../../signIn/provider/hostileProxy.ts'
import { findChromium, launchChromium } from '../../support/browser/browser.ts'

/** A provider of another language, at which the service is registered. */
interface ForeignProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly signInThere: SignInThere
  readonly strangerLogin: string
}

/**
 * Makes the provider the single sign-on of two companies, before it runs: of the first as it is, of the second through a proxy that becomes
 * hostile. `logins` are the addresses of their members, who are to sign in there.
 */
export async function companiesOf(client: LocalClient, provider: ForeignProvider) {
  const proxy = await startHostileProxy(provider.issuer)
  const companyOf = async (issuer: string) => ({
    ...{ client, proxy, signInThere: provider.signInThere, strangerLogin: provider.strangerLogin },
    ...(await newHostileCompany(client, { ...provider, issuer })),
  })
  const [sound, hostile] = [await companyOf(provider.issuer), await companyOf(proxy.issuer)]
  return {
    logins: [sound.member.email, hostile.member.email],
    close: proxy.close,
    /** Plays both in a browser. Returns what was played, or that there is no browser. */
    async judge(): Promise<string> {
      const path = findChromium()
      if (path === undefined) return 'not in a browser: no Chromium found (set CHROMIUM_PATH or install chromium)'
      const browser = await launchChromium(path)
      try {
        const inNewBrowser = async (locale: string, visit: (page: Page) => Promise<void>) => {
          const context = await browser.newContext({ locale })
          const page = await context.newPage()
          page.setDefaultTimeout(60_000)
          await keepLocal(page)
          await visit(page)
          await context.close()
        }
        for (const company of [sound, hostile]) await inNewBrowser('en-US', (page) => connectMember(page, company))
        for (const hostility of hostilities)
          for (const locale of ['en-US', 'de-DE'])
            await inNewBrowser(locale, (page) => meetHostility(page, hostile, hostility))
      } finally {
        await browser.close()
      }
      return `signed the members of a company in, in a browser, and nobody by ${hostilities.map(({ what }) => what).join(', ')}`
    },
  }
}
