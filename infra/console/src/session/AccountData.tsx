import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { useAction } from '../ui/useAction.ts'
import { nothing, useStepUp } from './useStepUp.ts'

/** The user's stored data: download a copy, or delete the account. */
export function AccountData({ user }: { readonly user: User }) {
  const { client, session } = useServices()
  const { data, deletion: texts } = useTexts().session
  const deletion = useStepUp('delete account', nothing)
  const [isAsking, setAsking] = useState(deletion.isSignedIn)
  const action = useAction()

  async function download(): Promise<void> {
    saveFile(data.file, JSON.stringify(await client.exportCurrentUser(), null, 2))
  }

  async function remove(): Promise<void> {
    await deletion.run(true, async () => {
      const { deletion_at } = await client.deleteCurrentUser()
      session.end({ kind: 'account_deleted', at: deletion_at })
    })
  }

  return (
    <>
      <section className="panel" aria-labelledby="export">
        <h2 id="export">{data.title}</h2>
        <p className="muted">{data.text}</p>
        <ErrorNotice error={action.error} />
        <div className="panel-action">
          <Button running={action.running} onClick={() => void action.run(download)}>
            {data.button}
          </Button>
        </div>
      </section>
      <section className="panel" aria-labelledby="delete">
        <h2 id="delete">{texts.title}</h2>
        <p className="muted">{texts.text}</p>
        <div className="panel-action">
          <Button kind="danger" onClick={() => setAsking(true)}>
            {texts.button}
          </Button>
        </div>
      </section>
      {isAsking && (
        <ConfirmDialog
          title={texts.question}
          word={user.username}
          confirm={texts.button}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{texts.effects}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Offers a text to the user as a file to keep. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
