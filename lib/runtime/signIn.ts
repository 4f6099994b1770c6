import { nameBrowser } from '../adapters/bowser/nameBrowser.ts'
import { createAccountLinks } from '../adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createChallenges } from '../adapters/dynamodb/challengeStore.ts'
import { createDueResetSteps } from '../adapters/dynamodb/factorResetStepStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { createMailSettings } from '../adapters/dynamodb/mailSettingsStore.ts'
import { createPasskeys } from '../adapters/dynamodb/passkeyStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { createWebAuthn } from '../adapters/webauthn/webAuthn.ts'
import type { TakeResetStepsDeps } from '../authenticators/recovery/takeResetSteps.ts'
import { requestOrigin } from '../http/endpoint/requestOrigin.ts'
import type { BeginPasskeyDeps } from '../signIn/beginPasskey.ts'
import type { StartSignInDeps } from '../signIn/continueAfterPassword.ts'
import type { LostFactorDeps } from '../signIn/lostFactor.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import type { KnownBrowserDeps } from '../users/password/knownBrowser.ts'
import { activityRecorderFromEnvironment } from './activity.ts'
import { addressFirstFromEnvironment } from './addressFirst.ts'
import { type AllAuthenticatorDeps, createAuthenticatorDeps } from './authenticatorDeps.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { passwords } from './passwords.ts'
import { knownBrowserKeys } from './secrets.ts'
import { brandingFromEnvironment, relyingPartyFromEnvironment } from './settings.ts'

/** For the forms of a sign-in, whatever the user signs in to. */
export function submitSignInDepsFromEnvironment() {
  return {
    ...authenticatorDepsFromEnvironment(),
    ...startSignInDepsFromEnvironment(),
    providers: createSignInProviders(documents, accountsTable()),
    addressFirst: addressFirstFromEnvironment(),
    passwords,
  } satisfies SubmitSignInDeps
}

/** For starting a session once the password is proven. */
export function startSignInDepsFromEnvironment() {
  const table = accountsTable()
  return {
    ...knownBrowserDepsFromEnvironment(),
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    links: createAccountLinks(documents, table),
    mailBudgets: createMailBudgets(documents, table),
    mailSettings: createMailSettings(documents, table),
    accountUrl: accountUrlFromEnvironment(),
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    activity: activityRecorderFromEnvironment(),
    logger,
    nameBrowser,
    origin: requestOrigin,
  } satisfies StartSignInDeps
}

/** For verifying second factors. */
function authenticatorDepsFromEnvironment(): AllAuthenticatorDeps {
  const { AWS_REGION, CUSTOMER_KEY_ID } = environment
  return createAuthenticatorDeps({
    documents,
    table: accountsTable(),
    kms: createKmsClient({ region: AWS_REGION }),
    keyId: CUSTOMER_KEY_ID,
    relyingParty: relyingPartyFromEnvironment(),
    clock,
  })
}

/** For recognizing browsers that have signed in before. */
export function knownBrowserDepsFromEnvironment(): KnownBrowserDeps {
  return { browserKeys: knownBrowserKeys(), ids, clock }
}

/** For the page of lost second factors. */
export function lostFactorDepsFromEnvironment(): LostFactorDeps {
  const table = accountsTable()
  const { organizations, profiles } = organizationDepsFromEnvironment()
  return {
    accounts: createAccounts(documents, table),
    links: createAccountLinks(documents, table),
    mailBudgets: createMailBudgets(documents, table),
    authenticators: createAuthenticators(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    resets: createFactorResets(documents, table),
    organizations,
    profiles,
    accountUrl: accountUrlFromEnvironment(),
    activity: activityRecorderFromEnvironment(),
    mailer: mailerFromEnvironment(),
    logger,
    branding: brandingFromEnvironment(),
    clock,
    ids,
  }
}

/** For the due steps of removals of lost second factors. */
export function takeResetStepsDepsFromEnvironment(): TakeResetStepsDeps {
  const table = accountsTable()
  return {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    resets: createFactorResets(documents, table),
    steps: createDueResetSteps(documents, table),
    activity: activityRecorderFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    mailer: mailerFromEnvironment(),
    logger,
    branding: brandingFromEnvironment(),
    clock,
  }
}

/** For the options that a browser uses a passkey with. */
export function beginPasskeyDepsFromEnvironment(): BeginPasskeyDeps {
  const table = accountsTable()
  return {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    challenges: createChallenges(documents, table),
    passkeys: createPasskeys(documents, table),
    webAuthn: createWebAuthn(relyingPartyFromEnvironment()),
    pendingSignIns: createPendingSignIns(documents, table),
    clock,
    ids,
  }
}
