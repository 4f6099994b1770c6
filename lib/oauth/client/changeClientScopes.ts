import { isScope, isServiceScope, type Scope } from '../../core/scopes.ts'
import type { Logger } from '../../log/logger.ts'
import type { OAuthClientRegistry, OAuthClients } from '../ports.ts'

/** The result of a change. `before`: the scopes that the client had; if undefined, it had every scope. */
type ChangedScopes =
  | { kind: 'done' | 'unchanged'; before: readonly Scope[] | undefined }
  | { kind: 'refused'; why: string }

/**
 * Changes the scopes that a client may request from its users, when an operator decides so. They apply from the next authorization request on.
 * What users granted before stays valid until they withdraw it or the client is disabled.
 * @throws CommonError `service_unavailable`: the change may be done
 */
export async function changeClientScopes(
  { clients, logger }: { readonly clients: OAuthClients & OAuthClientRegistry; readonly logger: Logger },
  { clientId, scopes: wanted }: { clientId: string; scopes: readonly string[] },
  { dryRun }: { dryRun: boolean },
): Promise<ChangedScopes> {
  const scopes = [...new Set(wanted.filter(isScope))]
  if (!wanted.every(isScope)) return { kind: 'refused', why: 'a scope does not exist' }
  const client = await clients.find(clientId)
  if (client === undefined) return { kind: 'refused', why: 'there is no such client' }
  if (client.securityRev !== undefined && !scopes.every(isServiceScope))
    return { kind: 'refused', why: 'a service client is granted scopes that read organizations only' }
  const { scopes: before } = client
  if (before?.length === scopes.length && scopes.every((scope) => before.includes(scope))) {
    return { kind: 'unchanged', before }
  }
  if (!dryRun) {
    if (!(await clients.replace(client, { ...client, scopes })))
      return { kind: 'refused', why: 'the client was changed meanwhile: look again' }
    logger.warn('Scopes changed by an operator', { clientId })
  }
  return { kind: 'done', before }
}
