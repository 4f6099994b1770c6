import { toRfc3339 } from '../../lib/core/clock.ts'
import { ifMatch } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deleteAccountDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { debtsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { deleteAccount } from '../../lib/users/deletion/deleteAccount.ts'
import { contract } from './contract.ts'

const deps = { ...deleteAccountDepsFromEnvironment(), debts: await debtsFromEnvironment() }

/** DELETE /api/users/me: switches the account off, and plans its erasure. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, headers, language }) => {
  const eraseAfter = await deleteAccount(deps, caller, language, ifMatch(headers, toUserResource))
  return { status: 202, body: { deletion_at: toRfc3339(eraseAfter) } }
})
