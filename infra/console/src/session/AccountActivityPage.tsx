import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useServices } from '../app/services.ts'
import type { ActivityEntry, Notifications } from '../app/types.ts'
import { PagedList } from '../lists/PagedList.tsx'
import { Row } from '../lists/Row.tsx'
import { usePages } from '../lists/usePages.ts'
import { Loaded } from '../loading/Loaded.tsx'
import { createResource } from '../loading/resource.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Timeline, TimelineEntry } from '../ui/Timeline.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

const PAGE_SIZE = 20

/** What happened to the user's account, newest first, and whether new sign-ins are mailed. */
export function AccountActivityPage() {
  const { client } = useServices()
  const texts = usePartTexts(accountTexts).activity
  const queries = useQueryClient()
  const notifications = useMemo(
    () =>
      createResource(queries, {
        key: ['notifications'],
        load: (signal) => client.getNotifications({ signal }),
      }),
    [queries, client],
  )
  const pages = usePages(['account-activity'], async (cursor, signal) => {
    const query = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const { entries, next_cursor } = await client.listActivity({ query, signal })
    return { items: entries, next: next_cursor }
  })
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className="stack">
        <Loaded resource={notifications} what="notifications">
          {(current) => (
            <section aria-labelledby="notifications">
              <h2 id="notifications">{texts.mails.title}</h2>
              <ul className="rows">
                <SignInMails notifications={current} reload={notifications.reload} />
              </ul>
            </section>
          )}
        </Loaded>
        <PagedList
          pages={pages}
          what="activity"
          empty={
            <EmptyState icon="activity" title={texts.none}>
              {texts.noneText}
            </EmptyState>
          }
        >
          {(entries) => (
            <Timeline>
              {entries.map((entry, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and only later entries are added
                <Entry key={at} entry={entry} />
              ))}
            </Timeline>
          )}
        </PagedList>
      </div>
    </>
  )
}

interface SignInMailsProps {
  readonly notifications: Notifications
  readonly reload: () => Promise<void>
}

/** Switches the mails about new sign-ins on and off. */
function SignInMails({ notifications: { sign_in_mails }, reload }: SignInMailsProps) {
  const { client } = useServices()
  const { mails } = usePartTexts(accountTexts).activity
  const action = useAction()
  const say = useToast()

  async function change(): Promise<void> {
    const done = await action.run(async () => {
      await client.updateNotifications({ body: { sign_in_mails: !sign_in_mails } })
      await reload()
    })
    if (done) say(sign_in_mails ? mails.switchedOff : mails.switchedOn)
  }

  return (
    <Row
      icon="lock"
      title={mails.name}
      badges={<Badge tone={sign_in_mails ? 'good' : 'warn'}>{sign_in_mails ? mails.on : mails.off}</Badge>}
      error={action.error}
      actions={
        <Button kind="quiet" running={action.running} onClick={() => void change()}>
          {sign_in_mails ? mails.switchOff : mails.switchOn}
        </Button>
      }
    >
      <p className="muted">{mails.text}</p>
    </Row>
  )
}

function Entry({ entry }: { readonly entry: ActivityEntry }) {
  const { format } = useLocalization()
  const { activity, sessions } = usePartTexts(accountTexts)
  const { at, type, browser, place, ip } = entry
  const types: Readonly<Record<string, string>> = activity.types
  const from = [
    browser === null ? sessions.unknownBrowser : sessions.browser(browser),
    ...(place === null ? [] : [format.region(place)]),
    ...(ip === null ? [] : [ip]),
  ]
  return (
    <TimelineEntry icon="activity" at={at}>
      <strong>{types[type] ?? type}</strong> <span className="muted">{from.join(' · ')}</span>
    </TimelineEntry>
  )
}
