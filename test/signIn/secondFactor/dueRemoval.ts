import { randomUUID } from 'node:crypto'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createFactorResets } from '../../../lib/adapters/dynamodb/factorResetStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { digestToken } from '../../../lib/users/links/accountLinks.ts'
import { enrollFactors, nowOf } from './enrollFactors.ts'

/** A new user of a local stack whose second factors are to be removed now: it was confirmed, and its wait is over. */
export async function dueRemoval(client: LocalClient): Promise<void> {
  const { userId, email } = await enrollFactors(client)
  const { dynamodb_endpoint: endpoint, tables } = client.info
  const documents = createDocumentClient({ endpoint, region: 'us-east-1' })
  const [accounts, resets] = [
    createAccounts(documents, tables.accounts),
    createFactorResets(documents, tables.accounts),
  ]
  const account = await accounts.find(userId)
  if (account === undefined) throw new Error('no such user')
  const now = await nowOf(client)
  const reset = { id: randomUUID(), requestedAt: now + 60_000, credentialsRev: 0, language: 'en' } as const
  await resets.request(userId, reset, undefined)
  const about = { purpose: 'confirm_factor_reset', userId, email, securityRev: account.securityRev } as const
  const link = { ...about, reset: reset.id, validUntil: now + 60_000 }
  const digest = digestToken(randomUUID())
  await createAccountLinks(documents, tables.accounts).issue(digest, link)
  const steps = [
    { step: 'half_time', at: now - 2000 },
    { step: 'effect', at: now - 1000 },
  ] as const
  const confirmed = await resets.confirm({ digest, link, user: account.user, now }, reset, {
    effectiveAt: now - 1000,
    steps,
  })
  if (confirmed !== 'done') throw new Error(`not confirmed: ${confirmed}`)
  documents.destroy()
}
