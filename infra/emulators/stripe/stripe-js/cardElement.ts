import type { Appearance } from '@stripe/stripe-js'
import { cardSettings, type ElementOptions } from './cardSettings.ts'
import { findPlace, labelsOf, markPlace, type PlaceState, watchScheme } from './elementPlace.ts'
import { newFrame, openPort } from './framePort.ts'
import { IntegrationError } from './intentSecret.ts'
import { createListeners, type Handler } from './listeners.ts'
import type {
  CardAnswer,
  CardSettings,
  CardState,
  FromCardFrame,
  PaymentMethodDetails,
  ToCardFrame,
} from './messages.ts'

/** The origin of the fields, and what all elements of a page share. */
interface ElementSource {
  readonly origin: string
  readonly publishableKey: string
  appearance(): Appearance | undefined
}

/** An element with card fields, and what only the script may ask of it. */
export interface CardElement {
  mount(place: string | HTMLElement): void
  unmount(): void
  destroy(): void
  update(options: ElementOptions): CardElement
  on(type: string, handler: Handler): CardElement
  once(type: string, handler: Handler): CardElement
  off(type: string, handler?: Handler): CardElement
  clear(): void
  focus(): void
  blur(): void
  collapse(): void
}

/** What the script asks of the fields of an element. */
export interface CardInput {
  validate(): Promise<CardAnswer>
  createPaymentMethod(details: PaymentMethodDetails): Promise<CardAnswer>
  /** Sends the look and the options anew. */
  configure(): void
}

const noFields: CardAnswer = { error: { type: 'validation_error', message: 'The card element is not mounted.' } }

/** A `card` or a `payment` element: its fields are in a frame of the emulator, and the page never sees what is typed. */
export function createCardElement(
  layout: CardSettings['layout'],
  source: ElementSource,
  first: ElementOptions = {},
  destroyed: () => void = () => undefined,
): { element: CardElement; input: CardInput } {
  const listeners = createListeners()
  const waiting = new Map<number, (answer: CardAnswer) => void>()
  let options = first
  let mounted: { place: HTMLElement; frame: HTMLIFrameElement; port: MessagePort; unwatch: () => void } | undefined
  let asked = 0
  let isGone = false

  const say = (message: ToCardFrame) => mounted?.port.postMessage(message)
  const emit = (type: string, more: object = {}) => listeners.emit(type, { elementType: layout, ...more })

  function configure(): void {
    if (mounted === undefined) return
    const now = cardSettings(layout, mounted.place, options, source.appearance())
    // A frame is transparent only if its color scheme is that of the page around it.
    mounted.frame.style.colorScheme = now.scheme
    say({ type: 'configure', publishableKey: source.publishableKey, settings: now })
  }

  const mark = (state: PlaceState) => mounted && markPlace(mounted.place, options.classes, state)

  function changed(state: CardState): void {
    mark({ complete: state.complete, empty: state.empty, invalid: state.error !== undefined })
    const { empty, complete, error, brand, postalCode } = state
    const own = layout === 'card' ? { brand, value: { postalCode } } : { collapsed: false, value: { type: 'card' } }
    emit('change', { empty, complete, error, ...own })
  }

  function hear(message: FromCardFrame): void {
    switch (message.type) {
      case 'height':
        if (mounted) mounted.frame.style.height = `${message.height}px`
        break
      case 'change':
        changed(message.state)
        break
      case 'answer':
        waiting.get(message.id)?.(message.answer)
        waiting.delete(message.id)
        break
      case 'submit':
        mounted?.place.closest('form')?.requestSubmit()
        break
      case 'focus':
      case 'blur':
        mark({ focus: message.type === 'focus' })
        emit(message.type)
        break
      default:
        emit(message.type)
    }
  }

  function ask(message: { type: 'validate' } | { type: 'create'; details: PaymentMethodDetails }): Promise<CardAnswer> {
    if (mounted === undefined) return Promise.resolve(noFields)
    const id = ++asked
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      say({ ...message, id })
    })
  }

  function mount(where: string | HTMLElement): void {
    if (isGone) throw new IntegrationError('This Element has already been destroyed. Please create a new one.')
    const place = findPlace(where)
    unmount()
    const frame = newFrame(`${source.origin}/v3/card.html`, 'Secure card payment input frame')
    frame.style.height = layout === 'card' ? '1.6em' : '168px'
    // The room for focus rings lies outside, so the fields are in line with their surroundings.
    if (layout === 'payment')
      Object.assign(frame.style, { margin: '-4px', width: 'calc(100% + 8px)', maxWidth: 'none' })
    const port = openPort(frame, source.origin)
    port.addEventListener('message', ({ data }: MessageEvent<FromCardFrame>) => hear(data))
    port.start()
    place.replaceChildren(frame)
    mounted = { place, frame, port, unwatch: watchScheme(configure) }
    mark({ base: true, empty: true })
    for (const label of labelsOf(place)) label.addEventListener('click', focus)
    configure()
  }

  function unmount(): void {
    if (mounted === undefined) return
    mark({ base: false, complete: false, empty: false, focus: false, invalid: false })
    for (const label of labelsOf(mounted.place)) label.removeEventListener('click', focus)
    mounted.unwatch()
    mounted.port.close()
    mounted.frame.remove()
    mounted = undefined
    for (const answer of waiting.values()) answer(noFields)
    waiting.clear()
  }

  function focus(): void {
    mounted?.frame.focus()
    say({ type: 'focus' })
  }

  const element: CardElement = {
    mount,
    unmount,
    destroy() {
      unmount()
      isGone = true
      destroyed()
    },
    update(more) {
      options = { ...options, ...more }
      configure()
      return element
    },
    on(type, handler) {
      listeners.on(type, handler)
      return element
    },
    once(type, handler) {
      listeners.once(type, handler)
      return element
    },
    off(type, handler) {
      listeners.off(type, handler)
      return element
    },
    clear: () => say({ type: 'clear' }),
    focus,
    blur: () => say({ type: 'blur' }),
    collapse: () => undefined,
  }
  const input: CardInput = {
    validate: () => ask({ type: 'validate' }),
    createPaymentMethod: (details) => ask({ type: 'create', details }),
    configure,
  }
  return { element, input }
}
