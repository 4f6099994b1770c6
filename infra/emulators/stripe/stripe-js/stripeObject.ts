import type {
  ConfirmationToken,
  ConfirmationTokenResult,
  ConfirmCardPaymentData,
  ConfirmCardSetupData,
  PaymentIntentResult,
  PaymentMethod,
  PaymentMethodResult,
  SetupIntentResult,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js'
import { type Answer, type Intent, openApi } from './api.ts'
import type { CardInput } from './cardElement.ts'
import { showChallenge } from './challengeDialog.ts'
import { createRegistry, type Elements, type ElementsOptions, type Group } from './elements.ts'
import { IntegrationError, type IntentSecret, readClientSecret } from './intentSecret.ts'
import { confirmIntent, finishAction } from './intents.ts'
import type { PaymentMethodDetails } from './messages.ts'
import { type Covered, uncoveredMethods } from './uncoveredMethods.ts'

/** What `confirmSetup` and `confirmPayment` take, of the overloads together. */
interface ConfirmOptions {
  elements?: StripeElements
  clientSecret?: string
  confirmParams?: { return_url?: string; payment_method?: string; payment_method_data?: PaymentMethodDetails }
  redirect?: 'always' | 'if_required'
}

/** How a card is named to `confirmCardSetup` and its likes: an id, an element, or a test token. */
type CardParam = ConfirmCardSetupData['payment_method'] | ConfirmCardPaymentData['payment_method']

/** The object that `Stripe(publishableKey)` returns; its requests go to `origin`. */
export function createStripeObject(origin: string, publishableKey: string) {
  const api = openApi(origin, publishableKey)
  const registry = createRegistry(origin, publishableKey)
  const challenge = (clientSecret: string) => showChallenge(origin, { publishableKey, clientSecret })

  /** Creates a payment method from the fields. */
  async function created(input: CardInput | undefined, details: PaymentMethodDetails): Promise<Answer<PaymentMethod>> {
    if (input === undefined) throw new IntegrationError('A card or payment element that is mounted is needed.')
    const answer = await input.createPaymentMethod(details)
    if ('error' in answer) return answer
    return 'paymentMethod' in answer ? { value: answer.paymentMethod } : { error: unexpected }
  }

  /** The group that a page names to a method. Throws an IntegrationError for null, which a hook returns before the script is loaded, and if it has to be submitted first. */
  function groupNamed(elements: unknown, method: string): Group {
    const group = typeof elements === 'object' && elements !== null ? registry.groupOf(elements) : undefined
    if (group === undefined)
      throw new IntegrationError(
        `Invalid value for ${method}: elements should be an Elements object. You specified: ${elements === null ? 'null' : typeof elements}.`,
      )
    if (group.needsSubmit()) throw new IntegrationError(`elements.submit() must be called before ${method}().`)
    return group
  }

  /** A payment method of an element, or of a test token. Throws an IntegrationError if the card is neither. */
  async function ofCard(card: unknown, details: PaymentMethodDetails): Promise<Answer<PaymentMethod>> {
    if (typeof card !== 'object' || card === null)
      throw new IntegrationError(
        `Invalid value for card: value should be an object or element. You specified: ${card === null ? 'null' : typeof card}.`,
      )
    if (registry.inputOf(card) === undefined && 'token' in card)
      return api.call('POST', '/v1/payment_methods', { ...details, type: 'card', card })
    return created(registry.inputOf(card), details)
  }

  /** The id of the card that a page names, or has typed in. */
  async function cardNamed(named: CardParam): Promise<Answer<string | undefined>> {
    if (named === undefined || typeof named === 'string') return { value: named }
    const { card, ...details } = named
    return idOf(await ofCard(card, details))
  }

  async function confirmCard(
    secret: IntentSecret,
    { payment_method: named, return_url }: ConfirmCardSetupData = {},
    { handleActions = true }: { handleActions?: boolean } = {},
  ): Promise<Answer<Intent>> {
    const card = await cardNamed(named)
    if (card.error !== undefined) return card
    return confirmIntent(api, secret, { payment_method: card.value, return_url }, handleActions ? challenge : undefined)
  }

  async function confirmElements(options: ConfirmOptions, method: string, kind: IntentSecret['kind']) {
    const { elements, clientSecret, confirmParams = {}, redirect = 'always' } = options
    const group = elements === undefined ? undefined : groupNamed(elements, method)
    const secret = readClientSecret(clientSecret ?? group?.clientSecret, method, kind)
    const { payment_method: named, payment_method_data: details = {}, return_url } = confirmParams
    if (redirect === 'always' && return_url === undefined)
      throw new IntegrationError(`${method}: confirmParams.return_url is required unless redirect is if_required.`)
    const card = named === undefined ? idOf(await created(group?.input(), details)) : { value: named }
    if (card.error !== undefined) return card
    const answer = await confirmIntent(api, secret, { payment_method: card.value, return_url }, challenge)
    if (answer.error === undefined && redirect === 'always') return leave(return_url ?? '', answer.value)
    return answer
  }

  function confirmSetup(options: ConfirmOptions & { redirect: 'if_required' }): Promise<SetupIntentResult>
  function confirmSetup(options: ConfirmOptions): Promise<{ error: StripeError }>
  async function confirmSetup(options: ConfirmOptions): Promise<SetupIntentResult> {
    return setupResult(await confirmElements(options, 'stripe.confirmSetup', 'setup_intents'))
  }

  function confirmPayment(options: ConfirmOptions & { redirect: 'if_required' }): Promise<PaymentIntentResult>
  function confirmPayment(options: ConfirmOptions): Promise<{ error: StripeError }>
  async function confirmPayment(options: ConfirmOptions): Promise<PaymentIntentResult> {
    return paymentResult(await confirmElements(options, 'stripe.confirmPayment', 'payment_intents'))
  }

  async function createPaymentMethod(options: object): Promise<PaymentMethodResult> {
    const { elements, element, card, params = {}, type: _type, ...details }: MethodOptions = options
    const group = elements === undefined ? undefined : groupNamed(elements, 'stripe.createPaymentMethod')
    const input = group === undefined ? element && registry.inputOf(element) : group.input()
    const made = card === undefined ? await created(input, params) : await ofCard(card, details)
    return made.error === undefined ? { paymentMethod: made.value } : { error: made.error }
  }

  async function createConfirmationToken(options: TokenOptions): Promise<ConfirmationTokenResult> {
    const { elements, params = {} } = options
    const group = groupNamed(elements, 'stripe.createConfirmationToken')
    const { payment_method_data: details = {}, return_url, shipping } = params
    const typed = idOf(await created(group.input(), details))
    if (typed.error !== undefined) return { error: typed.error }
    const terms = { payment_method: typed.value, return_url, shipping, setup_future_usage: group.setupFutureUsage }
    const made = await api.call<ConfirmationToken>('POST', '/v1/confirmation_tokens', terms)
    return made.error === undefined ? { confirmationToken: made.value } : { error: made.error }
  }

  const covered = {
    async confirmCardSetup(clientSecret, data, options) {
      const secret = readClientSecret(clientSecret, 'stripe.confirmCardSetup intent secret', 'setup_intents')
      return setupResult(await confirmCard(secret, data, options))
    },
    async confirmCardPayment(clientSecret, data, options) {
      const secret = readClientSecret(clientSecret, 'stripe.confirmCardPayment intent secret', 'payment_intents')
      return paymentResult(await confirmCard(secret, data, options))
    },
    confirmSetup,
    confirmPayment,
    createConfirmationToken,
    createPaymentMethod,
    async handleNextAction(options) {
      const clientSecret = 'clientSecret' in options ? options.clientSecret : ''
      const secret = readClientSecret(clientSecret, 'stripe.handleNextAction')
      const found = await api.retrieve(secret)
      const answer = found.error === undefined ? await finishAction(api, secret, found.value, challenge) : found
      return secret.kind === 'setup_intents' ? setupResult(answer) : paymentResult(answer)
    },
    async retrieveSetupIntent(clientSecret) {
      const secret = readClientSecret(clientSecret, 'stripe.retrieveSetupIntent', 'setup_intents')
      return setupResult(await api.retrieve(secret))
    },
    async retrievePaymentIntent(clientSecret) {
      const secret = readClientSecret(clientSecret, 'stripe.retrievePaymentIntent', 'payment_intents')
      return paymentResult(await api.retrieve(secret))
    },
  } satisfies Covered

  return {
    ...uncoveredMethods(),
    ...covered,
    elements: (options: ElementsOptions = {}): Elements => registry.createElements(options),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  }
}

/** What `createConfirmationToken` takes, as far as the emulator uses it. */
interface TokenOptions {
  elements?: unknown
  params?: { payment_method_data?: PaymentMethodDetails; return_url?: string | null; shipping?: object | null }
}

/** What `createPaymentMethod` takes, of the overloads together. */
interface MethodOptions extends PaymentMethodDetails {
  elements?: unknown
  element?: object
  card?: unknown
  params?: PaymentMethodDetails
  type?: string
}

function idOf(made: Answer<PaymentMethod>): Answer<string> {
  return made.error === undefined ? { value: made.value.id } : made
}

const unexpected: StripeError = { type: 'api_error', message: 'The API answered with another object.' }

function setupResult(answer: Answer<Intent>): SetupIntentResult {
  if (answer.error !== undefined) return { error: answer.error }
  return answer.value.object === 'setup_intent' ? { setupIntent: answer.value } : { error: unexpected }
}

function paymentResult(answer: Answer<Intent>): PaymentIntentResult {
  if (answer.error !== undefined) return { error: answer.error }
  return answer.value.object === 'payment_intent' ? { paymentIntent: answer.value } : { error: unexpected }
}

/** Leaves the page for `url`, with what it needs to read the intent, as Stripe.js adds it. */
function leave(url: string, intent: Intent): Promise<never> {
  const target = new URL(url, location.href)
  target.searchParams.set(intent.object, intent.id)
  target.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '')
  target.searchParams.set('redirect_status', intent.status)
  location.assign(target)
  return new Promise(() => undefined)
}
