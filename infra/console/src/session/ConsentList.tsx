import { useServices } from '../app/services.ts'
import type { Consent } from '../app/types.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'

interface ConsentListProps {
  readonly consents: readonly Consent[]
  readonly reload: () => Promise<void>
}

/** The applications that the user has given access to. */
export function ConsentList({ consents, reload }: ConsentListProps) {
  const { consents: texts } = useTexts().session
  return (
    <section aria-labelledby="applications">
      <h2 id="applications">
        {texts.title} <span className="count">{consents.length}</span>
      </h2>
      {consents.length === 0 ? (
        <EmptyState icon="box" title={texts.none}>
          <p>{texts.noneText}</p>
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
  const { texts, format } = useLocalization()
  const { consents } = texts.session
  const say = useToast()
  const { client_id, name, scopes, granted_at } = consent

  async function withdraw(): Promise<void> {
    await client.withdrawConsent({ path: { client_id } })
    await reload()
    say(consents.removed(name))
  }

  return (
    <Row
      icon="box"
      title={name}
      actions={
        <ConfirmButton
          button={texts.ui.remove}
          label={consents.removeNamed(name)}
          title={consents.question(name)}
          confirm={consents.confirm}
          onConfirm={withdraw}
        >
          <p>{consents.effects(name)}</p>
        </ConfirmButton>
      }
    >
      <p className="muted">
        {[...(scopes.length > 0 ? [scopes.join(', ')] : []), consents.since(format.day(granted_at))].join(' · ')}
      </p>
    </Row>
  )
}
