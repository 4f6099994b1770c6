import type { Clock } from '../../core/clock.ts'
import type { ApiClientId, Ids } from '../../core/ids.ts'
import { type ResourceScope, resourceScopes } from '../../core/scopes.ts'
import type { Logger } from '../../log/logger.ts'
import type { OperatedApiClients } from '../ports.ts'

export interface ChangeApiClientScopesDeps {
  readonly operatedApiClients: OperatedApiClients
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Logger
}

/** The outcome of a change, with the earlier scopes if the client exists. */
type ChangedApiClientScopes =
  | { kind: 'done' | 'unchanged'; before: readonly ResourceScope[] }
  | { kind: 'refused'; why: string }

/**
 * Gives an organization's API client other scopes, by an operator's decision, with an entry in the organization's audit log. The next token
 * has the new scopes; tokens issued earlier keep theirs until they expire, after at most 15 minutes.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function changeApiClientScopes(
  { operatedApiClients, ids, clock, logger }: ChangeApiClientScopesDeps,
  { clientId, scopes: wanted }: { clientId: ApiClientId; scopes: readonly string[] },
  { dryRun }: { dryRun: boolean },
): Promise<ChangedApiClientScopes> {
  const scopes = resourceScopes.filter((scope) => wanted.includes(scope))
  if (!wanted.every((scope) => resourceScopes.some((one) => one === scope))) {
    return { kind: 'refused', why: `the scopes of an API client are ${resourceScopes.join(', ')}` }
  }
  const client = await operatedApiClients.find(clientId)
  if (client === undefined) return { kind: 'refused', why: 'there is no such client' }
  const { organizationId, id: target, scopes: before } = client
  if (before.length === scopes.length && scopes.every((scope) => before.includes(scope))) {
    return { kind: 'unchanged', before }
  }
  if (!dryRun) {
    const entry = { organizationId, id: ids.uuid(), at: clock.now(), actor: { type: 'operator', id: null } } as const
    const changed = { ...entry, action: 'api_client.scopes_changed', target, detail: { scopes } } as const
    const outcome = await operatedApiClients.changeScopes(client, scopes, changed)
    if (outcome !== 'written') return { kind: 'refused', why: 'the client was changed meanwhile: look again' }
    logger.warn('Scopes changed by an operator', { clientId })
  }
  return { kind: 'done', before }
}
