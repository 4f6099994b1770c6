import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { Field } from './Field.tsx'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
}

/** A value to copy, with a button, or by hand if the browser gives no access to its clipboard. */
export function CopyField({ label, value }: CopyFieldProps) {
  const { ui } = useTexts()
  const say = useToast()

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      say(ui.copied(label))
    } catch {
      say(ui.copyByHand, 'info')
    }
  }

  return (
    <Field label={label}>
      {(attributes) => (
        <div className="joined">
          <input
            {...attributes}
            className="code"
            readOnly
            value={value}
            autoComplete="off"
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
          <Button label={ui.copyNamed(label)} onClick={() => void copy()}>
            <Icon name="copy" />
            {ui.copy}
          </Button>
        </div>
      )}
    </Field>
  )
}
