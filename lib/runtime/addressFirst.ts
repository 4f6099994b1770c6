import { createCompanyProviders } from '../adapters/dynamodb/companyProviderStore.ts'
import type { AskPasswordDeps } from '../signIn/askSignIn.ts'
import { billingTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'

/** The single sign-ons of companies, if the stage has them: its sign-in pages ask for the address first. Only a look-up needs the table. */
export function addressFirstFromEnvironment(): AskPasswordDeps['addressFirst'] {
  if (environment.COMPANY_SIGN_IN !== 'on') return undefined
  return { findByAddress: (email) => createCompanyProviders(documents, billingTable()).findByAddress(email) }
}
