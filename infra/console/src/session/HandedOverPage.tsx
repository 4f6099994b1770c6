import { Brand } from '../app/Brand.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { useDocumentTitle } from '../ui/useDocumentTitle.ts'

/**
 * Covers a tab after another user has signed in in another tab: the tokens are theirs now.
 * @param to the other user's name, if it is known
 */
export function HandedOverPage({ to }: { readonly to: string | undefined }) {
  const { handedOver } = useTexts().session
  useDocumentTitle(handedOver.page)
  return (
    <main className="welcome">
      <div className="welcome-card" role="alert">
        <Brand />
        <h1>{handedOver.title(to)}</h1>
        <p className="lead">{handedOver.text}</p>
        <Button kind="primary" wide onClick={() => location.reload()}>
          {handedOver.button}
        </Button>
      </div>
    </main>
  )
}
