import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createPendingSignIns } from '../../../lib/adapters/dynamodb/pendingSignInStore.ts'
import { createProviderSignIns } from '../../../lib/adapters/dynamodb/providerSignInStore.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { demoProvider } from '../../data/demo.ts'
import type { LocalInfo } from '../info.ts'

/** Samples have it in their cookie. */
const SECRET = 'sample-pending-0123456789_abcdefghijklmnopq'

/** Long enough even if someone has advanced the stack's clock. */
const YEARS_MS = 10 * 365 * 24 * 3_600_000

/** Begins a sign-in of the demo's stranger that waits for the second factor. Returns the secret for the cookie. */
export async function beginSampleSignIn({ dynamodb_endpoint, tables, demo }: LocalInfo): Promise<string> {
  const documents = createDocumentClient({ endpoint: dynamodb_endpoint, region: 'us-east-1' })
  try {
    const userId = userIdSchema.parse(demo.stranger.id)
    const account = await createAccounts(documents, tables.accounts).find(userId)
    if (account === undefined) throw new Error('The demo’s stranger has no account')
    const pending = { userId, securityRev: account.securityRev, validUntil: Date.now() + YEARS_MS }
    await createPendingSignIns(documents, tables.accounts).begin(digestSecret(SECRET), pending)
  } finally {
    documents.destroy()
  }
  return SECRET
}

/** Samples have it in their cookie. */
const PROVIDER_SECRET = 'sample-provider-123456789_abcdefghijklmnopq'

/** Lets a person of the emulated provider wait for the account to connect. Returns the secret for the cookie. */
export async function beginSampleConnection({ base_url, dynamodb_endpoint, tables }: LocalInfo): Promise<string> {
  const documents = createDocumentClient({ endpoint: dynamodb_endpoint, region: 'us-east-1' })
  try {
    const [{ subject, email }] = demoProvider.people
    const proven = { issuer: `${base_url}/_local/provider`, subject, providerId: demoProvider.id, email }
    const returnTo = { page: 'device', query: '' } as const
    const begun = { providerId: demoProvider.id, returnTo, isFresh: false, validUntil: Date.now() + YEARS_MS, proven }
    await createProviderSignIns(documents, tables.accounts).begin(digestSecret(PROVIDER_SECRET), begun)
  } finally {
    documents.destroy()
  }
  return PROVIDER_SECRET
}
