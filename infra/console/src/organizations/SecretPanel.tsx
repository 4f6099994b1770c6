import { useEffect, useId, useRef } from 'react'
import type { NewApiClient } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Icon } from '../ui/Icon.tsx'

interface SecretPanelProps {
  readonly client: NewApiClient
  readonly onDone: () => void
}

/**
 * The id and the new secret of an API client, shown together only once. It is no dialog: no key that closes a dialog
 * can lose the secret. Takes the focus when it appears.
 */
export function SecretPanel({ client, onDone }: SecretPanelProps) {
  const { name, client_id, client_secret } = client
  const { apiClients, ui } = useTexts()
  const { secret: texts } = apiClients
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
    heading.current?.focus()
  }, [])
  return (
    <section className="panel secret" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {client_secret === null ? texts.lostTitle(name) : texts.title(name)}
      </h2>
      {client_secret === null ? (
        <p className="notice warn">
          <Icon name="alert" />
          {texts.lost}
        </p>
      ) : (
        <>
          <p className="notice warn">
            <Icon name="alert" />
            {texts.store}
          </p>
          <CopyField label={texts.id} value={client_id} />
          <CopyField label={texts.secret} value={client_secret} />
        </>
      )}
      <div className="form-actions">
        <Button kind="primary" onClick={onDone}>
          {client_secret === null ? ui.close : texts.stored}
        </Button>
      </div>
    </section>
  )
}
