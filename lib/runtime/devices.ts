import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createConsents } from '../adapters/dynamodb/consentStore.ts'
import { createDeviceAuthorizations } from '../adapters/dynamodb/deviceAuthorizationStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { DecideDeviceDeps, ShowDeviceDeps } from '../oauth/device/decideDevice.ts'
import type { RequestDeviceDeps } from '../oauth/device/requestDevice.ts'
import type { AskSignInDeps } from '../signIn/askSignIn.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import { addressFirstFromEnvironment } from './addressFirst.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { submitSignInDepsFromEnvironment } from './signIn.ts'
import { issuerFromEnvironment } from './tokens.ts'

/** For a device that begins its sign-in. */
export function requestDeviceDepsFromEnvironment(): RequestDeviceDeps {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    devices: createDeviceAuthorizations(documents, table),
    issuer: issuerFromEnvironment(),
    ids,
    clock,
  }
}

/** For the page of devices, which only reads. */
export function showDeviceDepsFromEnvironment(): ShowDeviceDeps & AskSignInDeps & { issuer: string } {
  const table = accountsTable()
  return {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    providers: createSignInProviders(documents, table),
    addressFirst: addressFirstFromEnvironment(),
    issuer: issuerFromEnvironment(),
    ids,
    clock,
  }
}

/** For the forms of that page. */
export function decideDeviceDepsFromEnvironment(): DecideDeviceDeps & SubmitSignInDeps & { issuer: string } {
  const table = accountsTable()
  return {
    ...submitSignInDepsFromEnvironment(),
    clients: createOAuthClients(documents, table),
    consents: createConsents(documents, table),
    devices: createDeviceAuthorizations(documents, table),
    issuer: issuerFromEnvironment(),
  }
}
