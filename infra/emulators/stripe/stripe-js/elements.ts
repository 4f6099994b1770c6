import type { StripeElementsOptionsClientSecret, StripeElementsOptionsMode, StripeError } from '@stripe/stripe-js'
import { type CardElement, type CardInput, createCardElement } from './cardElement.ts'
import type { ElementOptions } from './cardSettings.ts'
import { IntegrationError } from './intentSecret.ts'

/** What `stripe.elements` takes. */
export type ElementsOptions = StripeElementsOptionsClientSecret | StripeElementsOptionsMode

/** A group of elements, as far as the emulator has them: `card` and `payment`. */
export interface Elements {
  create(type: string, options?: ElementOptions): CardElement
  getElement(type: unknown): CardElement | null
  update(options: Pick<ElementsOptions, 'appearance'>): Promise<void>
  fetchUpdates(): Promise<object>
  on(type: 'update-end', handler: () => void): void
  submit(): Promise<{ error?: StripeError } | { selectedPaymentMethod: string }>
}

/** What the script knows of a group that a page passes back to it. */
interface Group {
  readonly clientSecret: string | undefined
  /** The fields of the payment element, or else of the card element. */
  input(): CardInput | undefined
}

/** The group behind a page's object, and the fields behind an element of it; undefined if the object is something else. */
interface ElementRegistry {
  createElements(options: ElementsOptions): Elements
  groupOf(elements: object): Group | undefined
  inputOf(element: object): CardInput | undefined
}

/** Elements of a `Stripe(...)`, whose frames come from `origin`. */
export function createRegistry(origin: string, publishableKey: string): ElementRegistry {
  const groups = new WeakMap<object, Group>()
  const inputs = new WeakMap<object, CardInput>()

  function createElements(first: ElementsOptions): Elements {
    const { clientSecret } = first
    let { appearance } = first
    const made = new Map<string, { element: CardElement; input: CardInput }>()
    const ended = new Set<() => void>()
    const input = () => (made.get('payment') ?? made.get('card'))?.input

    const elements: Elements = {
      create(type, own) {
        if (type !== 'card' && type !== 'payment')
          throw new IntegrationError(
            `The emulator of Stripe.js has no ${String(type)} element: it has card and payment.`,
          )
        if (made.has(type))
          throw new IntegrationError(`Can only create one Element of type ${type} through stripe.elements().create.`)
        const source = { origin, publishableKey, appearance: () => appearance }
        const created = createCardElement(type, source, own, () => made.delete(type))
        made.set(type, created)
        inputs.set(created.element, created.input)
        return created.element
      },
      getElement: (type) => made.get(typeof type === 'string' ? type : '')?.element ?? null,
      async update(more) {
        appearance = more.appearance ?? appearance
        for (const { input: one } of made.values()) one.configure()
        for (const handler of ended) handler()
      },
      fetchUpdates: async () => ({}),
      on: (_type, handler) => void ended.add(handler),
      async submit() {
        const answer = await input()?.validate()
        if (answer === undefined) throw new IntegrationError('elements.submit() needs a mounted Payment Element.')
        return 'error' in answer ? { error: answer.error } : { selectedPaymentMethod: 'card' }
      },
    }
    groups.set(elements, { clientSecret, input })
    return elements
  }

  return { createElements, groupOf: (elements) => groups.get(elements), inputOf: (element) => inputs.get(element) }
}
