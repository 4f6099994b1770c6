import { useState } from 'react'
import { Field } from '../forms/Field.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

interface CouponFieldProps {
  readonly coupon: string | undefined
  /** The order is being bought. */
  readonly locked: boolean
  readonly onChange: (coupon: string | undefined) => void
}

/** The format of a coupon's code. */
const couponCode = /^[A-Za-z0-9_-]{1,64}$/

/** A coupon for the order; whether it is good is said at each line. */
export function CouponField({ coupon, locked, onChange }: CouponFieldProps) {
  const { orders, ui } = useTexts()
  const { coupon: texts } = orders
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()

  function apply(): void {
    const code = text.trim()
    if (!couponCode.test(code)) {
      setProblem(texts.invalid)
      return
    }
    setProblem(undefined)
    setText('')
    setOpen(false)
    onChange(code)
  }

  if (coupon !== undefined)
    return (
      <p className="coupon">
        <span>{texts.chosen(coupon)}</span>
        <Button kind="quiet" label={texts.remove} disabled={locked} onClick={() => onChange(undefined)}>
          {ui.remove}
        </Button>
      </p>
    )
  if (!open)
    return (
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {texts.add}
      </button>
    )
  return (
    <Field label={texts.label} problem={problem}>
      {(attributes) => (
        <div className="joined">
          <input
            {...attributes}
            value={text}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: it was asked for by the button before it
            autoFocus
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              apply()
            }}
          />
          <Button disabled={locked} onClick={apply}>
            {texts.apply}
          </Button>
        </div>
      )}
    </Field>
  )
}
