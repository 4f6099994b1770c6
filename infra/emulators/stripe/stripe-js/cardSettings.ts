import type {
  Appearance,
  StripeCardElementOptions,
  StripeElementStyle,
  StripePaymentElementOptions,
} from '@stripe/stripe-js'
import { schemeOf } from './framePort.ts'
import type { CardSettings, Look } from './messages.ts'

/** The options of either element that the emulator knows. */
export type ElementOptions = StripeCardElementOptions & StripePaymentElementOptions

/** Custom properties of the frame, with the values that are set. */
function lookOf(values: Record<string, string | number | undefined>): Look {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** The look that `style` of the card element asks for: of `base`, its placeholder, and the color of `invalid`. */
function lookOfStyle({ base = {}, invalid = {} }: StripeElementStyle = {}): Look {
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
function lookOfAppearance({ variables = {} }: Appearance = {}): Look {
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

/** How the fields of an element are to be in its container on the page. */
export function cardSettings(
  layout: CardSettings['layout'],
  place: HTMLElement,
  options: ElementOptions,
  appearance: Appearance | undefined,
): CardSettings {
  return {
    layout,
    scheme: appearance?.theme === 'night' ? 'dark' : schemeOf(place),
    look: layout === 'card' ? lookOfStyle(options.style) : lookOfAppearance(appearance),
    hidePostalCode: options.hidePostalCode ?? hidesPostalCode(options),
    postalCode: options.value?.postalCode ?? options.defaultValues?.billingDetails?.address?.postal_code ?? '',
    disabled: options.disabled ?? false,
  }
}

/** Whether the page collects the postal code itself: `fields: { billingDetails: 'never' }` of a payment element, or of its address. */
function hidesPostalCode({ fields }: ElementOptions): boolean {
  const details = fields?.billingDetails
  if (typeof details !== 'object') return details === 'never'
  return typeof details.address === 'object' ? details.address.postalCode === 'never' : details.address === 'never'
}
