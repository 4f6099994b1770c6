import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createCompanyProviders } from '../adapters/dynamodb/companyProviderStore.ts'
import { createIdentities } from '../adapters/dynamodb/identityStore.ts'
import { createUsedLogoutTokens } from '../adapters/dynamodb/logoutTokenStore.ts'
import { createProviderSignIns } from '../adapters/dynamodb/providerSignInStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import { createProviderSecretCipher } from '../adapters/kms/contextCipher.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { createOpenIdClient } from '../adapters/openid/openIdClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { joinByDomain } from '../organizations/domains/joinByDomain.ts'
import type { AskSignInDeps } from '../signIn/askSignIn.ts'
import type { OpenIdClient } from '../signIn/ports.ts'
import type { BackchannelLogoutDeps } from '../signIn/provider/backchannelLogout.ts'
import type { BeginProviderDeps } from '../signIn/provider/beginProviderSignIn.ts'
import type { ConnectProviderDeps, ShowConnectionDeps } from '../signIn/provider/connectProvider.ts'
import type { FinishProviderDeps } from '../signIn/provider/finishProviderSignIn.ts'
import type { ProviderSecretCipher } from '../signIn/provider/ports.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import { addressFirstFromEnvironment } from './addressFirst.ts'
import { clock } from './clock.ts'
import { accountsTable, billingTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { endpointUrlDepsFromEnvironment } from './events.ts'
import { logger } from './logger.ts'
import { joinByDomainDepsFromEnvironment } from './organizations.ts'
import { startSignInDepsFromEnvironment, submitSignInDepsFromEnvironment } from './signIn.ts'
import { issuerFromEnvironment } from './tokens.ts'
import { userSessionDepsFromEnvironment } from './userSessions.ts'

/** For asking OpenID providers. */
export function openIdClientFromEnvironment(): OpenIdClient {
  return createOpenIdClient({ ...endpointUrlDepsFromEnvironment(), clock })
}

export function providerCipherFromEnvironment(): ProviderSecretCipher {
  const { AWS_REGION: region, CUSTOMER_KEY_ID: keyId } = environment
  return createProviderSecretCipher({ client: createKmsClient({ region }), keyId })
}

/** For sending browsers to a provider. */
export function beginProviderDepsFromEnvironment(): BeginProviderDeps {
  return { ...providerStores(), openId: openIdClientFromEnvironment(), ids, clock, logger }
}

/** For browsers that come back. */
export function finishProviderDepsFromEnvironment(): FinishProviderDeps & ShowConnectionDeps & AskSignInDeps {
  const table = accountsTable()
  return {
    ...startSignInDepsFromEnvironment(),
    ...providerStores(),
    addressFirst: addressFirstFromEnvironment(),
    openId: openIdClientFromEnvironment(),
    accounts: createAccounts(documents, table),
    identities: createIdentities(documents, table),
    providerCipher: providerCipherFromEnvironment(),
    joinByDomain: (user) => joinByDomain(joinByDomainDepsFromEnvironment(), user),
    ids,
    clock,
    logger,
  }
}

/** For the forms of the page that connects an identity. */
export function connectProviderDepsFromEnvironment(): ConnectProviderDeps & SubmitSignInDeps & { issuer: string } {
  return {
    ...submitSignInDepsFromEnvironment(),
    ...providerStores(),
    identities: createIdentities(documents, accountsTable()),
  }
}

/** For providers that sign a person out. */
export function backchannelLogoutDepsFromEnvironment(): BackchannelLogoutDeps {
  const table = accountsTable()
  return {
    ...userSessionDepsFromEnvironment(),
    userSessions: createUserSessions(documents, table),
    companies: createCompanyProviders(documents, billingTable()),
    identities: createIdentities(documents, table),
    logoutTokens: createUsedLogoutTokens(documents, table),
    openId: openIdClientFromEnvironment(),
  }
}

function providerStores() {
  const table = accountsTable()
  return {
    providers: createSignInProviders(documents, table),
    companies: createCompanyProviders(documents, billingTable()),
    providerSignIns: createProviderSignIns(documents, table),
    issuer: issuerFromEnvironment(),
  }
}
