import type { ApiClient, NewApiClient } from '../app/types.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Row } from '../ui/Row.tsx'
import { DeleteApiClient } from './DeleteApiClient.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { RotateApiClient } from './RotateApiClient.tsx'

interface ApiClientRowProps {
  readonly apiClient: ApiClient
  readonly onSecret: (rotated: NewApiClient) => void
  readonly onDeleted: () => void
}

/** An API client with its scopes and last use. An owner can rotate its secret here, or delete it. */
export function ApiClientRow({ apiClient, onSecret, onDeleted }: ApiClientRowProps) {
  const { organization } = useOrganization()
  const { client_id, name, scopes, created_at, last_used_at, previous_secret_valid_until } = apiClient
  const { texts, format } = useLocalization()
  const own = texts.apiClients
  return (
    <Row
      icon="key"
      title={name}
      badges={previous_secret_valid_until !== null && <Badge tone="warn">{own.twoSecrets}</Badge>}
      actions={
        may(organization.role, 'manage API clients') && (
          <>
            <RotateApiClient apiClient={apiClient} onSecret={onSecret} />
            <DeleteApiClient apiClient={apiClient} onDeleted={onDeleted} />
          </>
        )
      }
    >
      <p className="small">
        <code>{client_id}</code>
      </p>
      <ul className="muted">
        {scopes.map((scope) => (
          <li key={scope} className="bullet">
            {own.scopes[scope]}
          </li>
        ))}
      </ul>
      <p className="muted small">
        {last_used_at === null
          ? own.createdUnused(format.day(created_at))
          : own.createdUsed(format.day(created_at), format.time(last_used_at))}
      </p>
      {previous_secret_valid_until !== null && (
        <p className="muted small">{own.oldSecretUntil(format.time(previous_secret_valid_until))}</p>
      )}
    </Row>
  )
}
