import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { ids } from '../../../lib/adapters/random/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import type { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { createActivityInMemory } from '../../support/activityInMemory.ts'
import { plainBranding } from '../../support/branding.ts'

type Documents = Awaited<ReturnType<typeof openDocuments>>

/** What deletes, restores and erases accounts that owe nothing, on the stores of a test; `mails` collects what was sent. */
export function accountDeletionDeps(client: Documents['client'], names: Documents['names'], now: () => number) {
  const mails: Mail[] = []
  const deps = {
    deletions: createAccountDeletions(client, names),
    debts: { listOwed: async () => [] },
    accounts: createAccounts(client, names.accounts),
    links: createAccountLinks(client, names.accounts),
    mailer: { send: async (mail: Mail) => void mails.push(mail), discard: async () => {} },
    clock: { now, sync: async () => {} },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    activity: createActivityInMemory().activity,
    ids,
    accountUrl: 'https://api.example.com',
    branding: plainBranding,
  }
  return { deps, mails }
}
