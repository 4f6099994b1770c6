import { useEffect, useId, useRef } from 'react'
import type { NewApiClient } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Icon } from '../ui/Icon.tsx'

interface SecretPanelProps {
  readonly client: NewApiClient
  readonly onDone: () => void
}

/**
 * The id and the new secret of an API client, the only time that they can be seen together. It is no dialog: no key that closes one can lose
 * the secret. Takes the focus when it appears.
 */
export function SecretPanel({ client, onDone }: SecretPanelProps) {
  const { name, client_id, client_secret } = client
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
    heading.current?.focus()
  }, [])
  return (
    <section className="panel secret" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {client_secret === null ? `The secret of ${name} did not arrive` : `The secret of ${name}`}
      </h2>
      {client_secret === null ? (
        <p className="notice warn">
          <Icon name="alert" />
          The API client is created, but the answer with its secret was lost. Give it a new secret in the list.
        </p>
      ) : (
        <>
          <p className="notice warn">
            <Icon name="alert" />
            Store the secret now, where only your program can read it. It is not shown again.
          </p>
          <CopyField label="Client ID" value={client_id} />
          <CopyField label="Client secret" value={client_secret} />
        </>
      )}
      <div className="form-actions">
        <Button kind="primary" onClick={onDone}>
          {client_secret === null ? 'Close' : 'I have stored it'}
        </Button>
      </div>
    </section>
  )
}
