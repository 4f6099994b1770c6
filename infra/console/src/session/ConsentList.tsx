import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { Consent } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatDay } from '../ui/format.ts'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'

interface ConsentListProps {
  readonly consents: readonly Consent[]
  readonly reload: () => Promise<void>
}

/** The applications that the user has given access to. */
export function ConsentList({ consents, reload }: ConsentListProps) {
  return (
    <section aria-labelledby="applications">
      <h2 id="applications">
        Applications with access <span className="count">{consents.length}</span>
      </h2>
      {consents.length === 0 ? (
        <EmptyState icon="box" title="No application has access">
          <p>An application that you give access to at sign-in appears here.</p>
        </EmptyState>
      ) : (
        <ul className="rows">
          {consents.map((consent) => (
            <ConsentRow key={consent.client_id} consent={consent} reload={reload} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ConsentRow({ consent, reload }: { readonly consent: Consent; readonly reload: () => Promise<void> }) {
  const { client } = useServices()
  const [isRemoving, setRemoving] = useState(false)
  const say = useToast()
  const { client_id, name, scopes, granted_at } = consent

  async function withdraw(): Promise<void> {
    await client.withdrawConsent({ path: { client_id } })
    await reload()
    say(`${name} has no access any more`)
  }

  return (
    <Row
      icon="box"
      title={name}
      actions={
        <Button kind="quiet" label={`Remove the access of ${name}`} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      }
      more={
        isRemoving && (
          <ConfirmDialog
            title={`Remove the access of ${name}?`}
            confirm="Remove access"
            onConfirm={withdraw}
            onClose={() => setRemoving(false)}
          >
            <p>{name} is signed out of your account right away. It asks you again when you next use it.</p>
          </ConfirmDialog>
        )
      }
    >
      <p className="muted">
        {scopes.length > 0 && `${scopes.join(', ')} · `}Since {formatDay(granted_at)}
      </p>
    </Row>
  )
}
