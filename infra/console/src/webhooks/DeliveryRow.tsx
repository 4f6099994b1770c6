import type { WebhookDelivery } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { useToast } from '../ui/Toasts.tsx'
import type { Tone } from '../ui/tone.ts'
import { useAction } from '../ui/useAction.ts'

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  readonly resend: () => Promise<void>
}

const tones: Readonly<Record<string, Tone>> = { pending: 'warn', delivered: 'good', failed: 'bad' }

/** An event on its way, with what the endpoint answered. */
export function DeliveryRow({ delivery, resend }: DeliveryRowProps) {
  const { event_id, event_type, status, attempts, next_attempt_at, last_attempt } = delivery
  const { format } = useLocalization()
  const { deliveries: texts, faults } = usePartTexts(webhookTexts)
  const say = useToast()
  const action = useAction()
  // A newer API may have values that are not known here.
  const statuses: Partial<Record<string, string>> = texts.statuses
  const reasons: Partial<Record<string, string>> = faults
  const answer = last_attempt?.response_body ?? ''
  return (
    <Row
      title={event_type}
      badges={<Badge tone={tones[status] ?? 'neutral'}>{statuses[status] ?? status}</Badge>}
      error={action.error}
      actions={
        status !== 'pending' && (
          <Button
            kind="quiet"
            label={texts.resendNamed(event_type)}
            running={action.running}
            onClick={() => void action.run(resend).then((done) => done && say(texts.resent))}
          >
            {texts.resend}
          </Button>
        )
      }
      more={
        answer !== '' && (
          <details className="row-more">
            <summary className="small">{texts.answer}</summary>
            <pre className="answer">{answer}</pre>
          </details>
        )
      }
    >
      <p className="muted small">
        <code>{event_id}</code>
      </p>
      {last_attempt === null ? (
        <p className="muted small">{texts.notTried}</p>
      ) : (
        <p className="muted small">
          {last_attempt.response_status === null
            ? texts.noAnswer(format.time(last_attempt.at), reasons[last_attempt.error ?? ''] ?? texts.unknownFault)
            : texts.answered(format.time(last_attempt.at), last_attempt.response_status)}
          {attempts > 1 && ` · ${texts.attempts(attempts)}`}
        </p>
      )}
      {next_attempt_at !== null && attempts > 0 && (
        <p className="muted small">{texts.next(format.time(next_attempt_at))}</p>
      )}
    </Row>
  )
}
