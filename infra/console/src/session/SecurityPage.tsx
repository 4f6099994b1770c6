import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useServices } from '../app/services.ts'
import type { Consent, User, UserSession } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { RowSection } from '../lists/RowSection.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { createResource } from '../loading/resource.ts'
import { inLanguage } from '../texts/inLanguage.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { PasswordForm } from './PasswordForm.tsx'

/** The user's sessions, password and second factors, and the applications that may act for the user. */
export function SecurityPage({ user }: { readonly user: User }) {
  const { client, session, securityUrl } = useServices()
  const { language } = useLocalization()
  const texts = usePartTexts(accountTexts)
  const { security } = texts
  const queries = useQueryClient()
  const [sessions, consents] = useMemo(
    () => [
      createResource(queries, {
        key: ['sessions'],
        load: async (signal) => (await client.listSessions({ signal })).sessions,
      }),
      createResource(queries, {
        key: ['consents'],
        load: async (signal) => (await client.listConsents({ signal })).consents,
      }),
    ],
    [queries, client],
  )
  return (
    <>
      <PageHeader title={security.title} lead={security.lead}>
        <ConfirmButton kind="plain" texts={security.everywhere} onConfirm={() => session.signOutEverywhere()} />
      </PageHeader>
      <div className="stack">
        <Loaded resource={sessions} what="sessions">
          {(all) => (
            <RowSection title={texts.sessions.title} hint={texts.sessions.hint}>
              {all.map((one) => (
                <SessionRow key={one.id} session={one} reload={sessions.reload} />
              ))}
            </RowSection>
          )}
        </Loaded>
        <Panel title={security.factors} lead={security.factorsText}>
          <a className="button" href={inLanguage(securityUrl, language)}>
            {security.manageFactors}
          </a>
        </Panel>
        <PasswordForm user={user} onChanged={sessions.reload} />
        <Loaded resource={consents} what="applications">
          {(all) => (
            <RowSection
              title={texts.consents.title}
              empty={
                <EmptyState icon="box" title={texts.consents.none}>
                  <p>{texts.consents.noneText}</p>
                </EmptyState>
              }
            >
              {all.map((consent) => (
                <ConsentRow
                  key={consent.client_id}
                  consent={consent}
                  // When a user withdraws an application's access, its sessions end as well.
                  reload={async () => {
                    await Promise.all([consents.reload(), sessions.reload()])
                  }}
                />
              ))}
            </RowSection>
          )}
        </Loaded>
      </div>
    </>
  )
}

/** A session of the user. */
function SessionRow({ session, reload }: { readonly session: UserSession; readonly reload: () => Promise<void> }) {
  const { client } = useServices()
  const { format } = useLocalization()
  const { sessions } = usePartTexts(accountTexts)
  const action = useAction()
  const say = useToast()
  const { id, browser, current, created_at, last_used_at } = session
  const name = browser === null ? sessions.unknownBrowser : sessions.browser(browser)

  async function end(): Promise<void> {
    const done = await action.run(async () => {
      await client.endSession({ path: { session_id: id } })
      await reload()
    })
    if (done) say(sessions.ended(name))
  }

  return (
    <Row
      icon="screen"
      title={name}
      badges={current && <Badge tone="good">{sessions.current}</Badge>}
      error={action.error}
      actions={
        !current && (
          <Button
            kind="quiet"
            label={sessions.endNamed(session.client, name)}
            running={action.running}
            onClick={() => void end()}
          >
            {sessions.end}
          </Button>
        )
      }
    >
      <p className="muted">{sessions.since(session.client, format.day(created_at))}</p>
      <p className="muted">{sessions.lastUsed(format.time(last_used_at))}</p>
    </Row>
  )
}

/** An application that the user has given access to. */
function ConsentRow({ consent, reload }: { readonly consent: Consent; readonly reload: () => Promise<void> }) {
  const { client } = useServices()
  const { texts, format } = useLocalization()
  const { consents: own } = usePartTexts(accountTexts)
  const say = useToast()
  const { client_id, name, scopes, granted_at } = consent

  async function withdraw(): Promise<void> {
    await client.withdrawConsent({ path: { client_id } })
    await reload()
    say(own.remove.done(name))
  }

  return (
    <Row
      icon="box"
      title={name}
      actions={
        <ConfirmButton texts={{ button: texts.ui.remove, ...own.remove }} name={name} onConfirm={withdraw}>
          <p>{own.remove.effects(name)}</p>
        </ConfirmButton>
      }
    >
      <p className="muted">
        {[...(scopes.length > 0 ? [scopes.join(', ')] : []), own.since(format.day(granted_at))].join(' · ')}
      </p>
    </Row>
  )
}
