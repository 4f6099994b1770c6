import {
  brandOf,
  type CardValues,
  type FieldName,
  formatExpiry,
  formatNumber,
  isShownAtOnce,
  problemOf,
} from './cardRules.ts'
import type { CardState, FieldError } from './messages.ts'

const names = ['number', 'expiry', 'cvc', 'postalCode'] as const

/** The inputs of the form, their values and what is wrong with them. */
interface CardFields {
  values(): CardValues
  state(): CardState
  /** The first problem of the required fields; marks every field that has a problem. */
  validate(): FieldError | undefined
  clear(): void
  /** Focuses the first field with a problem, or the first. */
  focus(): void
  blur(): void
  setPostalCode(value: string): void
  setDisabled(disabled: boolean): void
  hidePostalCode(hidden: boolean): void
}

/** What the fields report as the buyer types. */
interface Listeners {
  changed(): void
  /** Whether typing a whole value moves the focus to the next field. */
  advances(): boolean
}

function input(name: FieldName): HTMLInputElement {
  const found = document.getElementById(name)
  if (!(found instanceof HTMLInputElement)) throw new Error(`no input ${name}`)
  return found
}

/** Connects the form's inputs. */
export function connectFields({ changed, advances }: Listeners): CardFields {
  const left = new Set<FieldName>()
  let withoutPostalCode = false
  const asked = (): FieldName[] => names.filter((name) => !(withoutPostalCode && name === 'postalCode'))
  const values = (): CardValues => ({
    number: digitsOf(input('number').value),
    expiry: digitsOf(input('expiry').value),
    cvc: digitsOf(input('cvc').value),
    postalCode: input('postalCode').value.trim(),
  })
  const problems = () => {
    const all = values()
    return asked().flatMap((name) => {
      const found = problemOf(name, all, new Date())
      return found === undefined ? [] : [{ name, found }]
    })
  }
  const visible = () => problems().filter(({ name, found }) => left.has(name) || isShownAtOnce(found))

  function show(): void {
    const brand = brandOf(values().number)
    const shown = new Map(visible().map(({ name, found }) => [name, found]))
    for (const name of names) {
      const text = shown.get(name)?.message ?? ''
      const line = document.getElementById(`${name}-problem`)
      if (line !== null && line.textContent !== text) line.textContent = text
      input(name).setAttribute('aria-invalid', String(text !== ''))
    }
    const badge = document.querySelector<HTMLElement>('.brand')
    if (badge === null) return
    badge.dataset.brand = brand.name
    badge.dataset.problem = String(shown.has('number'))
    badge.textContent = badgeTexts[brand.name] ?? ''
  }

  function update(): void {
    show()
    changed()
  }

  function advance(name: FieldName, field: HTMLInputElement): void {
    const next = asked()[asked().indexOf(name) + 1]
    const atEnd = field.selectionStart === field.value.length
    if (next === undefined || !advances() || !atEnd || problemOf(name, values(), new Date()) !== undefined) return
    input(next).focus()
  }

  for (const name of names) {
    const field = input(name)
    if (name !== 'postalCode') field.addEventListener('beforeinput', (event) => deleteDigit(field, event))
    field.addEventListener('input', (event) => {
      reformat(field, name, values().number)
      update()
      if (event instanceof InputEvent && event.inputType === 'insertText' && name !== 'postalCode') advance(name, field)
    })
    field.addEventListener('focus', () => {
      left.delete(name)
      update()
    })
    field.addEventListener('blur', () => {
      if (field.value !== '') left.add(name)
      update()
    })
  }

  return {
    values,
    state() {
      const all = values()
      const used = asked().map((name) => all[name])
      return {
        empty: used.every((value) => value === ''),
        complete: problems().length === 0,
        brand: brandOf(all.number).name,
        postalCode: all.postalCode,
        error: visible()[0]?.found,
      }
    },
    validate() {
      for (const name of asked()) left.add(name)
      update()
      return problems()[0]?.found
    },
    clear() {
      for (const name of names) input(name).value = ''
      left.clear()
      update()
    },
    focus: () => input(visible()[0]?.name ?? 'number').focus(),
    blur: () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
    setPostalCode(value) {
      input('postalCode').value = value
      update()
    },
    setDisabled(disabled) {
      for (const name of names) input(name).disabled = disabled
    },
    hidePostalCode(hidden) {
      withoutPostalCode = hidden
      const field = input('postalCode').closest<HTMLElement>('.field')
      if (field !== null) field.hidden = hidden
      update()
    },
  }
}

const badgeTexts: Partial<Record<CardState['brand'], string>> = {
  visa: 'VISA',
  amex: 'AMEX',
  discover: 'DISC',
  diners: 'DC',
  jcb: 'JCB',
  unionpay: 'UP',
}

/** The digits of a text. */
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** The text of a field as it is written; `number` is the card's, on whose brand the length of the security code depends. */
const formats: Record<FieldName, (text: string, number: string) => string> = {
  number: (text) => formatNumber(digitsOf(text)),
  expiry: (text) => formatExpiry(digitsOf(text)),
  cvc: (text, number) => digitsOf(text).slice(0, brandOf(number).cvc),
  postalCode: (text) => text.slice(0, 12),
}

/** Writes a value in its format and keeps the cursor behind the same digit. */
function reformat(field: HTMLInputElement, name: FieldName, number: string): void {
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
function deleteDigit(field: HTMLInputElement, event: InputEvent): void {
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
