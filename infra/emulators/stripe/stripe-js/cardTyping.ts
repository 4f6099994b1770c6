import { brandOf, type FieldName, formatExpiry, formatNumber } from './cardRules.ts'

/** The digits of a text. */
export const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** The text of a field as it is written; `number` is the card's, on whose brand the length of the security code depends. */
const formats: Record<FieldName, (text: string, number: string) => string> = {
  number: (text) => formatNumber(digitsOf(text)),
  expiry: (text) => formatExpiry(digitsOf(text)),
  cvc: (text, number) => digitsOf(text).slice(0, brandOf(number).cvc),
  postalCode: (text) => text.slice(0, 12),
}

/** Writes a value in its format and keeps the cursor behind the same digit. */
export function reformat(field: HTMLInputElement, name: FieldName, number: string): void {
  const cursor = field.selectionStart ?? field.value.length
  const atEnd = cursor === field.value.length
  const before = digitsOf(field.value.slice(0, cursor)).length
  const text = formats[name](field.value, number)
  if (text === field.value) return
  field.value = text
  if (atEnd) return
  let position = 0
  for (let seen = 0; seen < before && position < text.length; position++) if (/\d/.test(text.charAt(position))) seen++
  field.setSelectionRange(position, position)
}

/** Deleting a separator deletes the digit before it: it would come back at once. */
export function deleteDigit(field: HTMLInputElement, event: InputEvent): void {
  const { selectionStart: start, selectionEnd: end, value } = field
  if (event.inputType !== 'deleteContentBackward' || start === null || start !== end) return
  const before = value.slice(0, start)
  const kept = before.replace(/\D+$/, '')
  if (kept === before) return
  event.preventDefault()
  field.value = kept.slice(0, -1) + value.slice(start)
  field.setSelectionRange(kept.length - 1, kept.length - 1)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
