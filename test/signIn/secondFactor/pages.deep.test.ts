import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CDPSession, Page } from 'playwright-core'
import { createWebAuthn } from '../../../lib/adapters/webauthn/webAuthn.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import { PASSWORD, queryOf, registerClient, registerUser } from '../../oauth/authorize/people.ts'
import { startReceiver } from '../../oauth/authorize/receiver.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { violations } from '../../support/aws/violations.ts'
import { examinedLooks, looks } from '../../support/browser/looks.ts'
import { openTabs } from '../../support/browser/openTabs.ts'
import { useBrowser } from '../../support/browser/useBrowser.ts'
import { userWithTotp } from './people.ts'

const { browser, describeInBrowser } = useBrowser('test/signIn/secondFactor/pages')

const stack = useAccountsStack()
const openTab = openTabs(browser)
let folder: string
let page: Page
let receiver: Awaited<ReturnType<typeof startReceiver>>
let query: string
/** At `localhost`, which is a relying party, as the stack's own address is not. */
let place: { origin: string; rpId: string }

beforeAll(async () => {
  // Before the first request, with which the functions read it.
  process.env.TOKEN_ISSUER = stack().baseUrl
  const url = new URL(stack().baseUrl)
  place = { origin: `http://localhost:${url.port}`, rpId: 'localhost' }
  folder = process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'second-factor-')))
  receiver = await startReceiver()
  const client = await registerClient(stack(), {
    type: 'public',
    firstParty: true,
    redirectUris: ['http://127.0.0.1/callback'],
  })
  query = queryOf(client, { redirect_uri: receiver.redirectUri })
})
afterAll(async () => {
  await receiver?.close()
  if (folder !== undefined && process.env.SCREENSHOTS === undefined) await rm(folder, { recursive: true })
})

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()
const addressOf = (origin = place.origin) => `${origin}/api/oauth/authorize?${query}`

async function open(look: (typeof looks)[number] = looks[0], javaScriptEnabled = false): Promise<void> {
  page = await openTab(look, javaScriptEnabled)
}

async function signIn(email: string): Promise<void> {
  await page.goto(addressOf())
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** An authenticator of the browser's own, with a passkey of this user. */
async function authenticatorOf(userId: Awaited<ReturnType<typeof registerUser>>['id']) {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const deps = {
    ...stack().authenticatorDeps,
    webAuthn: createWebAuthn({ id: place.rpId, name: 'Console', origin: place.origin }),
  }
  const caller = { userId, securityRev: 0 }
  const options = await beginPasskeyRegistration(deps, caller)
  await page.goto(`${place.origin}/api/oauth/authorize`)
  const made = await page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
    return (await navigator.credentials.create({ publicKey })).toJSON()
  })()`)
  await finishPasskeyRegistration(deps, caller, { response: made, name: 'Laptop' })
  const setPresence = (enabled: boolean) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return {
    setPresence,
    setVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: async () => {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await devtools.detach()
    },
  }
}

/** An open page whose browser has a passkey of a new user. */
async function openWithPasskey() {
  const user = await registerUser(stack())
  await open(looks[0], true)
  return { user, authenticator: await authenticatorOf(user.id) }
}

async function expectSoundPage(name: string): Promise<void> {
  const picture = await page.screenshot({ fullPage: true })
  expect(picture.length).toBeGreaterThan(8000)
  await writeFile(join(folder, `${name}.png`), picture)
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

describeInBrowser('A sign-in with two factors in a browser', () => {
  describe('Given no script', () => {
    it('goes by password and code of an app, by the keyboard alone', async () => {
      const user = await userWithTotp(stack())
      await open()
      await signIn(user.email)
      await heading('Confirm that it’s you')
      await page.keyboard.type('000000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
      await page.keyboard.type(user.code())
      await page.keyboard.press('Enter')
      await heading('Back at the client')
    })

    it('goes by a recovery code', async () => {
      const user = await userWithTotp(stack())
      await open()
      await signIn(user.email)
      await page.getByText('Use a recovery code instead').click()
      await page.getByLabel('Recovery code').fill('wrong')
      await page.getByRole('button', { name: 'Use recovery code' }).click()
      await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
      await page.getByLabel('Recovery code').fill(user.recoveryCodes[0] ?? '')
      await page.getByRole('button', { name: 'Use recovery code' }).click()
      await heading('Back at the client')
    })

    it('says that passkeys need script', async () => {
      await open()
      await page.goto(addressOf())
      await page.getByText('Passkeys need JavaScript').waitFor()
      expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    })
  })

  describe('Given a passkey', () => {
    it('goes by it alone, with the button', async () => {
      const { authenticator } = await openWithPasskey()
      // A browser that does not offer it beside the address: there the button is the only way.
      const offersNone = await page.addInitScript(
        'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
      )
      await page.goto(addressOf())
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await heading('Back at the client')
      await offersNone.dispose()
      await authenticator.remove()
    })

    it('is offered beside the address, and taken without a button (conditional UI)', async () => {
      const { authenticator } = await openWithPasskey()
      await page.goto(addressOf())
      await heading('Back at the client')
      await authenticator.remove()
    })

    it('goes by it after the password', async () => {
      const { user, authenticator } = await openWithPasskey()
      await authenticator.setPresence(false)
      await signIn(user.email)
      await heading('Confirm that it’s you')
      await authenticator.setPresence(true)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await heading('Back at the client')
      await authenticator.remove()
    })

    it('says what to do where its user is not verified, and where there is none', async () => {
      const { authenticator } = await openWithPasskey()
      await authenticator.setVerified(false)
      await page.goto(addressOf())
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText('No passkey was used.').waitFor()
      await authenticator.remove()
    })

    it('is linked to where it works from an address that has none', async () => {
      await open(looks[0], true)
      await page.goto(addressOf(stack().baseUrl))
      const link = page.getByRole('link', { name: `Passkeys work at ${new URL(place.origin).host}` })
      expect(await link.getAttribute('href')).toBe(addressOf())
      expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
      await expectSoundPage('sign-in-at-ip')
    })
  })

  it.each(examinedLooks)('is accessible and fits: $name', async (look) => {
    const user = await userWithTotp(stack())
    await open(look, true)
    const authenticator = await authenticatorOf(user.id)
    await authenticator.setPresence(false)
    await page.goto(addressOf())
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await expectSoundPage(`sign-in-${look.name}`)
    await signIn(user.email)
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await expectSoundPage(`second-factor-${look.name}`)
    await page.getByLabel('Code from your authenticator app').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByText('Use a recovery code instead').click()
    await expectSoundPage(`second-factor-wrong-${look.name}`)
    await authenticator.remove()
  })
})
