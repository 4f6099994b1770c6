import type { StripeElementClasses } from '@stripe/stripe-js'
import { IntegrationError } from './intentSecret.ts'

/** What the page's container of an element shows of it, by class names. */
export type PlaceState = Partial<Record<'base' | 'complete' | 'empty' | 'focus' | 'invalid', boolean>>

const usual: Record<keyof PlaceState, string> = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
}

/** The container that a page names. Throws an IntegrationError if it does not exist. */
export function findPlace(where: string | HTMLElement): HTMLElement {
  const place = typeof where === 'string' ? document.querySelector<HTMLElement>(where) : where
  if (place !== null) return place
  const message = `The selector you specified (${String(where)}) applies to no DOM elements that are currently on the page.`
  throw new IntegrationError(message)
}

/** Sets and removes the classes of a container. If the page names classes, they replace the usual names. */
export function markPlace(place: HTMLElement, classes: StripeElementClasses | undefined, state: PlaceState): void {
  const names = { ...usual, ...classes }
  for (const part of ['base', 'complete', 'empty', 'focus', 'invalid'] as const) {
    const on = state[part]
    if (on === undefined) continue
    for (const name of names[part].split(' ')) if (name !== '') place.classList.toggle(name, on)
  }
}

/** The labels of a container: when a label is clicked, the element in the container gets the focus. */
export function labelsOf(place: HTMLElement): HTMLLabelElement[] {
  const around = place.closest('label')
  const named =
    place.id === '' ? [] : document.querySelectorAll<HTMLLabelElement>(`label[for="${CSS.escape(place.id)}"]`)
  return [...named, ...(around === null ? [] : [around])]
}

/** Calls `changed` when the reader switches between light and dark. Returns what ends it. */
export function watchScheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', changed)
  return () => dark.removeEventListener('change', changed)
}
