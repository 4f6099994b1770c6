import { openTabs } from '../../../support/browser/openTabs.ts'
import { useBrowser } from '../../../support/browser/useBrowser.ts'
import { useAccounts } from '../useAccounts.ts'

export const looks = [
  { name: 'desktop, light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 375, height: 740 }, colorScheme: 'dark' },
] as const

/** The account functions over real protocols, and a browser that opens their pages. */
export function useLinkPages(name: string) {
  const { browser, describeInBrowser } = useBrowser(name)
  const accounts = useAccounts()
  const openTab = openTabs(browser)

  /** A page without cookies, its errors, and the origins that it requested. */
  async function open(options: { look?: (typeof looks)[number]; javaScriptEnabled: boolean }) {
    const page = await openTab(options.look ?? looks[0], options.javaScriptEnabled)
    const [errors, asked]: [string[], Set<string>] = [[], new Set()]
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()
    return { page, errors, asked, heading }
  }

  /** A user who forgot the password, with the link in their mail. */
  async function forgetful() {
    const someUser = await accounts.person()
    await accounts.post('/api/auth/password/forgot', { email: someUser.email })
    return { ...someUser, link: /https?:\/\/\S+/.exec(accounts.mailsTo(someUser.email)[0]?.text ?? '')?.[0] ?? '' }
  }

  return { ...accounts, describeInBrowser, open, forgetful }
}
