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
export interface Group {
  readonly clientSecret: string | undefined
  /** What later payments the group is for, if it has no intent yet. */
  readonly setupFutureUsage: string | undefined
  /** Whether `elements.submit()` has to be called first, since the intent comes after it. */
  needsSubmit(): boolean
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
    const { mode, setupFutureUsage } = deferredOptions(first)
    let { appearance } = first
    let isSubmitted = false
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
      getElement: (type) => made.get(typeOf(type))?.element ?? null,
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
        isSubmitted = !('error' in answer)
        return 'error' in answer ? { error: answer.error } : { selectedPaymentMethod: 'card' }
      },
    }
    const needsSubmit = () => mode !== undefined && !isSubmitted
    groups.set(elements, { clientSecret, setupFutureUsage, needsSubmit, input })
    return elements
  }

  return { createElements, groupOf: (elements) => groups.get(elements), inputOf: (element) => inputs.get(element) }
}

/** The options of a group whose intent comes later. */
function deferredOptions(options: ElementsOptions): { mode?: string; setupFutureUsage?: string | undefined } {
  if (!('mode' in options) || options.mode === undefined) return {}
  const usage = 'setupFutureUsage' in options ? options.setupFutureUsage : undefined
  return { mode: options.mode, setupFutureUsage: usage ?? undefined }
}

/** The type that a page means: its name, or that of a component of `@stripe/react-stripe-js`. */
function typeOf(named: unknown): string {
  const type: unknown =
    (typeof named === 'object' || typeof named === 'function') && named !== null && '__elementType' in named
      ? named.__elementType
      : named
  return typeof type === 'string' ? type : ''
}
