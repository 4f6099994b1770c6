import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { ApiClient, NewApiClient } from '../app/types.ts'
import { optionsOf, SelectField } from '../forms/SelectField.tsx'
import { Row } from '../lists/Row.tsx'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { apiClientTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Badge } from '../ui/Badge.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'

interface ApiClientRowProps {
  readonly apiClient: ApiClient
  /** Called with the new secret when the question is closed, so that the panel can take the focus. */
  readonly onSecret: (rotated: NewApiClient) => void
  readonly onDeleted: () => void
}

/** An API client with its scopes and last use. An owner can rotate its secret here, or delete it. */
export function ApiClientRow({ apiClient, onSecret, onDeleted }: ApiClientRowProps) {
  const { organization } = useOrganization()
  const { client_id, name, scopes, created_at, last_used_at, previous_secret_valid_until } = apiClient
  const { format } = useLocalization()
  const own = usePartTexts(apiClientTexts)
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
            {wordIn(own.scopes, scope)}
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

const expirySchema = z.enum(['24h', '1h', 'now'])

/**
 * The button and the question for a new secret, with the choice of when the old one expires. While a client has two secrets, a new one only
 * replaces both.
 */
function RotateApiClient({ apiClient, onSecret }: Pick<ApiClientRowProps, 'apiClient' | 'onSecret'>) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const { id, name, previous_secret_valid_until } = apiClient
  const stepUp = useStepUp(`rotate ${organization.id} ${id}`, expirySchema)
  const { rotate: texts } = usePartTexts(apiClientTexts)
  const hasTwo = previous_secret_valid_until !== null
  const [chosen, setChosen] = useState(stepUp.kept ?? '24h')
  const expiry = hasTwo ? 'now' : chosen
  const rotated = useRef<NewApiClient>(undefined)
  const path = { organization_id: organization.id, api_client_id: id }

  async function rotate(): Promise<void> {
    await stepUp.run(expiry, async () => {
      rotated.current = await client.rotateApiClientSecret({ path, body: { expire_previous: expiry } })
    })
    await apiClients.reload()
  }

  function close(): void {
    if (rotated.current !== undefined) onSecret(rotated.current)
    rotated.current = undefined
  }

  return (
    <ConfirmButton texts={texts} name={name} asksAtOnce={stepUp.isSignedIn} onConfirm={rotate} onClosed={close}>
      {!hasTwo && (
        <SelectField label={texts.expiry} value={chosen} options={optionsOf(texts.expiries)} onChange={setChosen} />
      )}
      <p>{hasTwo ? texts.endsBoth : texts.effects[expiry]}</p>
    </ConfirmButton>
  )
}

/** The button and the question for the end of an API client. */
function DeleteApiClient({ apiClient, onDeleted }: Pick<ApiClientRowProps, 'apiClient' | 'onDeleted'>) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const { id, name } = apiClient
  const stepUp = useStepUp(`delete API client ${organization.id} ${id}`, nothing)
  const { remove: texts } = usePartTexts(apiClientTexts)
  const say = useToast()

  async function remove(): Promise<void> {
    const path = { organization_id: organization.id, api_client_id: id }
    await stepUp.run(true, () => client.deleteApiClient({ path }))
    onDeleted()
    await apiClients.reload()
    say(texts.done(name))
  }

  return <ConfirmButton texts={texts} name={name} asksAtOnce={stepUp.isSignedIn} onConfirm={remove} />
}
