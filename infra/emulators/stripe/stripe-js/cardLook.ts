import type { Appearance, StripeElementStyle } from '@stripe/stripe-js'
import type { Look } from './messages.ts'

/** Custom properties of the frame, with the values that are set. */
function lookOf(values: Record<string, string | number | undefined>): Look {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** The look that `style` of the card element asks for: of `base`, its placeholder, and the color of `invalid`. */
export function lookOfStyle({ base = {}, invalid = {} }: StripeElementStyle = {}): Look {
  return lookOf({
    '--text': base.color,
    '--placeholder': base['::placeholder']?.color,
    '--font': base.fontFamily,
    '--size': base.fontSize,
    '--weight': base.fontWeight,
    '--spacing': base.letterSpacing,
    '--icon-ground': base.iconColor,
    '--danger': invalid.color,
  })
}

/** The look that the `appearance` of elements asks for: its variables; rules and labels are the emulator's own. */
export function lookOfAppearance({ variables = {} }: Appearance = {}): Look {
  return lookOf({
    '--text': variables.colorText,
    '--muted': variables.colorTextSecondary,
    '--placeholder': variables.colorTextPlaceholder,
    '--primary': variables.colorPrimary,
    '--surface': variables.colorBackground,
    '--danger': variables.colorDanger,
    '--font': variables.fontFamily,
    '--size': variables.fontSizeBase,
    '--radius': variables.borderRadius,
  })
}
