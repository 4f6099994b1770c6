import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { ApiClient, NewApiClient } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useOrganization } from './organizationData.ts'

/** A rotation has nothing to keep but that it was asked for. */
const nothing = z.literal(true)

interface RotateApiClientProps {
  readonly apiClient: ApiClient
  /** Called with the new secret when the question is closed, so that the panel can take the focus. */
  readonly onSecret: (rotated: NewApiClient) => void
}

/** The button and the question for a new secret. After a rotation, the next is possible in 24 hours. */
export function RotateApiClient({ apiClient, onSecret }: RotateApiClientProps) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const { id, name, previous_secret_valid_until } = apiClient
  const stepUp = useStepUp(`rotate ${organization.id} ${id}`, nothing)
  const [isAsking, setAsking] = useState(stepUp.isSignedIn)
  const { rotate: texts } = useTexts().apiClients
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
        label={texts.named(name)}
        disabled={previous_secret_valid_until !== null}
        onClick={() => setAsking(true)}
      >
        {texts.button}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.question(name)}
          confirm={texts.confirm}
          keep={texts.keep}
          onConfirm={rotate}
          onClose={close}
        >
          <p>{texts.effects}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
