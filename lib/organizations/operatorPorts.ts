import type { ApiClientId } from '../core/ids.ts'
import type { ResourceScope } from '../core/scopes.ts'
import type { ApiClient, AuditEntry, WriteOutcome } from './ports.ts'

/** API clients as an operator changes them: by no user's grant. Throws CommonError `service_unavailable`. */
export interface OperatedApiClients {
  find(clientId: ApiClientId): Promise<ApiClient | undefined>
  /** Writes the scopes with their entry, in one transaction. `conflict`: the client has others than `client` by now, or is gone. */
  changeScopes(client: ApiClient, scopes: readonly ResourceScope[], entry: AuditEntry): Promise<WriteOutcome>
}
