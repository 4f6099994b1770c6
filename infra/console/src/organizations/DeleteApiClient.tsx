import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { ApiClient } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useOrganization } from './organizationData.ts'

/** A deletion has nothing to keep but that it was asked for. */
const nothing = z.literal(true)

interface DeleteApiClientProps {
  readonly apiClient: ApiClient
  readonly onDeleted: () => void
}

/** The button and the question for the end of an API client. */
export function DeleteApiClient({ apiClient, onDeleted }: DeleteApiClientProps) {
  const { client } = useServices()
  const { organization, apiClients } = useOrganization()
  const { id, name } = apiClient
  const stepUp = useStepUp(`delete API client ${organization.id} ${id}`, nothing)
  const [isAsking, setAsking] = useState(stepUp.isSignedIn)
  const { remove: texts } = useTexts().apiClients
  const say = useToast()

  async function remove(): Promise<void> {
    const path = { organization_id: organization.id, api_client_id: id }
    await stepUp.run(true, () => client.deleteApiClient({ path }))
    onDeleted()
    await apiClients.reload()
    say(texts.done(name))
  }

  return (
    <>
      <Button kind="quiet" label={texts.named(name)} onClick={() => setAsking(true)}>
        {texts.button}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.question(name)}
          confirm={texts.confirm}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{texts.effects}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
