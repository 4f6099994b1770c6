import { Brand } from '../app/Brand.tsx'
import { LanguageSelect } from '../app/LanguageSelect.tsx'
import { addressOf, useRoute } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { Texts } from '../texts/en.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import type { Format } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { useDocumentTitle } from '../ui/useDocumentTitle.ts'
import type { Notice } from './session.ts'

/** The way in, for a browser that is not signed in. It comes back to the page that was asked for. */
export function WelcomePage({ notice }: { readonly notice: Notice | undefined }) {
  const { session } = useServices()
  const route = useRoute()
  const action = useAction()
  const { texts, format } = useLocalization()
  const { welcome } = texts.session
  useDocumentTitle(welcome.page)
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Brand />
        <h1>{welcome.title}</h1>
        <p className="lead">{welcome.lead}</p>
        {notice && (
          <p className="notice neutral" role="status">
            <Icon name="info" />
            {noticeText(notice, texts, format)}
          </p>
        )}
        <ErrorNotice error={action.error} />
        <Button
          kind="primary"
          wide
          running={action.running}
          onClick={() => void action.run(() => session.signIn(addressOf(route)))}
        >
          {welcome.button}
        </Button>
        <p className="hint">{welcome.hint}</p>
      </div>
      <LanguageSelect />
    </main>
  )
}

function noticeText(notice: Notice, { session: { notices } }: Texts, format: Format): string {
  return notice.kind === 'account_deleted' ? notices.account_deleted(format.day(notice.at)) : notices[notice.kind]
}
