import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { ApiClient, NewApiClient } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useOrganization } from './organizationData.ts'

/** A rotation has nothing to keep but that it was asked for. */
const nothing = z.literal(true)

interface RotateApiClientProps {
  readonly apiClient: ApiClient
  /** Called with the new secret once the question is closed, so that what shows it can take the focus. */
  readonly onSecret: (rotated: NewApiClient) => void
}

/** The button and the question for a new secret; for 24 hours after one, there is no other. */
export function RotateApiClient({ apiClient, onSecret }: RotateApiClientProps) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const { id, name, previous_secret_valid_until } = apiClient
  const stepUp = useStepUp(`rotate ${organization.id} ${id}`, nothing)
  const [isAsking, setAsking] = useState(stepUp.isSignedIn)
  const rotated = useRef<NewApiClient>(undefined)
  const path = { organization_id: organization.id, api_client_id: id }

  async function rotate(): Promise<void> {
    await stepUp.run(true, async () => {
      rotated.current = await client.rotateApiClientSecret({ path })
    })
    await apiClients.reload()
  }

  function close(): void {
    setAsking(false)
    if (rotated.current !== undefined) onSecret(rotated.current)
    rotated.current = undefined
  }

  return (
    <>
      <Button
        kind="quiet"
        label={`New secret for ${name}`}
        disabled={previous_secret_valid_until !== null}
        onClick={() => setAsking(true)}
      >
        New secret
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Give ${name} a new secret?`}
          confirm="Create new secret"
          keep="Keep the secret"
          onConfirm={rotate}
          onClose={close}
        >
          <p>
            The current secret and the new one both work for 24 hours. Put the new one into your program in that time:
            after it, the old one is refused.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
