import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createMailBudgets } from '../../../lib/adapters/dynamodb/mailBudgetStore.ts'
import { createMailSettings } from '../../../lib/adapters/dynamodb/mailSettingsStore.ts'
import { createPendingSignIns } from '../../../lib/adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../../../lib/adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../../../lib/adapters/dynamodb/signInProviderStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { authenticationSchema } from '../../../lib/core/authentication.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { fixedSecret } from '../../../lib/core/secret.ts'
import {
  type SignInForm,
  type SignInStep,
  type SubmitSignInDeps,
  submitSignIn,
} from '../../../lib/signIn/submitSignIn.ts'
import { type FaultAt, faultyDeps } from '../../organizations/deletion/faultyDeps.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'
import { useAuthenticators } from '../authenticators/authenticatorTestBed.ts'

const table = tables.accounts.localName
const PASSWORD = 'right'
const counted = [
  ...(['accounts', 'authenticators', 'challenges', 'passkeys', 'recoveryCodes', 'totpAuthenticators'] as const),
  ...([
    'totpCipher',
    'guesses',
    'sessions',
    'pendingSignIns',
    'providers',
    'addressFirst',
    'passwords',
    'browserKeys',
    'browsers',
    'mailer',
  ] as const),
]

/** A browser: all that it has is its cookie. */
export interface SigningBrowser {
  cookie: string
}

/** Sign-ins over the real stores, composed as the functions have them, of which any call can be made to fail. Passwords are checked in no time. */
export function useSignIns() {
  const bed = useAuthenticators()

  function deps(fault?: FaultAt): { deps: SubmitSignInDeps; calls: () => string[] } {
    const isRight = (password: string) => ({ isRight: password === PASSWORD, isOutdated: false })
    const stores = {
      ...bed.deps(),
      accounts: createAccounts(bed.documents(), table),
      sessions: createSessions(bed.documents(), table),
      pendingSignIns: createPendingSignIns(bed.documents(), table),
      providers: createSignInProviders(bed.documents(), table),
      addressFirst: undefined,
      passwords: { hash: async () => '', check: async (password: string) => isRight(password) },
      browserKeys: fixedSecret('key'),
      links: createAccountLinks(bed.documents(), table),
      mailBudgets: createMailBudgets(bed.documents(), table),
      accountUrl: 'https://accounts.example.com',
      browsers: { name: async () => 'Firefox on Linux' },
      mailer: { send: async () => {}, discard: async () => {} },
      logger: { info() {}, warn() {}, error() {} },
      branding: plainBranding,
      activity: createActivityInMemory().activity,
      mailSettings: createMailSettings(bed.documents(), table),
      origin: () => undefined,
    }
    const { deps: all, calls } = faultyDeps(stores, fault, counted)
    return { deps: { ...all, nameBrowser: () => all.browsers.name() }, calls }
  }

  const newBrowser = (): SigningBrowser => ({ cookie: bed.deps().ids.secret() })

  /** Sends a form, and keeps the cookie that it is answered with. */
  async function send(
    browser: SigningBrowser,
    form: SignInForm,
    over: SubmitSignInDeps = deps().deps,
  ): Promise<SignInStep> {
    const step = await submitSignIn(over, { secret: browser.cookie, signedInFor: undefined }, form)
    if ('session' in step) browser.cookie = step.session.started
    return step
  }

  const from = { knownBrowser: undefined, userAgent: 'Mozilla/5.0', language: 'en' as const }
  const forms = {
    password: (email: string, password = PASSWORD): SignInForm => ({
      ...{ action: 'login', email, password, sourceIp: '198.51.100.7' },
      ...from,
    }),
    factor: (factor: 'totp' | 'recovery_code' | 'passkey', proof: string): SignInForm => ({
      ...{ action: 'second_factor', factor, proof },
      ...from,
    }),
    passkey: (proof: string): SignInForm => ({ action: 'passkey', proof, ...from }),
  }

  const sessionRow = z.object({ authentication: authenticationSchema })

  /** The methods of every session that is stored of a user, whoever has its cookie. */
  async function sessionsOf(userId: UserId): Promise<string[]> {
    const { Items = [] } = await bed.documents().send(new ScanCommand({ TableName: table }))
    const own = Items.filter(({ pk, userId: of }) => String(pk).startsWith('SESSION#') && of === userId)
    return own.map((item) => sessionRow.parse(item).authentication.methods.join(' '))
  }

  return { bed, deps, newBrowser, send, forms, sessionsOf }
}
