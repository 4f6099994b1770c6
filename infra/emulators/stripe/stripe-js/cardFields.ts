import { brandOf, type CardValues, type FieldName, isShownAtOnce, problemOf } from './cardRules.ts'
import { deleteDigit, digitsOf, reformat } from './cardTyping.ts'
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
