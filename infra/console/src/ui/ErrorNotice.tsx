import { problemOf } from '../app/problem.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface ErrorNoticeProps {
  /** The thrown error; if undefined, nothing is shown. */
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  readonly retrying?: boolean
}

/** Explains what failed and what to do, in a customer's words, with the request's id for support. */
export function ErrorNotice({ error, onRetry, retrying = false }: ErrorNoticeProps) {
  const texts = useTexts()
  if (error === undefined) return null
  const { text, requestId } = problemOf(error, texts)
  return (
    <div className="notice bad" role="alert">
      <Icon name="alert" />
      <div className="notice-body">
        <p>{text}</p>
        {requestId !== undefined && (
          <p className="request-id">
            {texts.ui.requestId} <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} running={retrying}>
          {texts.ui.tryAgain}
        </Button>
      )}
    </div>
  )
}
