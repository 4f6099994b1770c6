/** Why a bank declines: Stripe's `code` and `decline_code`, https://docs.stripe.com/declines/codes. */
export interface Decline {
  code: string
  decline_code: string
  message: string
}

/**
 * How a documented test card behaves (https://docs.stripe.com/testing). `authentication`: `always` = every payment; `unless_set_up` =
 * on-session always, off-session only until it was set up; `on_session` = only while the buyer is present. `setupNeedsAuthentication`:
 * saving it takes a 3-D Secure step. `declinesAttach`: it cannot be saved. `decline`: what a charge answers once allowed to happen.
 */
interface TestCard {
  brand: string
  /** Stripe's test numbers of the card, which a browser sends. */
  numbers: readonly [string, ...string[]]
  /** The digits that are shown if they are not the last of its first number. */
  last4?: string
  country: string
  funding: 'credit' | 'debit' | 'prepaid'
  authentication: 'never' | 'always' | 'unless_set_up' | 'on_session'
  setupNeedsAuthentication: boolean
  declinesAttach: boolean
  decline: Decline | null
}

const plain: TestCard = {
  brand: 'visa',
  numbers: ['4242424242424242'],
  country: 'US',
  funding: 'credit',
  authentication: 'never',
  setupNeedsAuthentication: false,
  declinesAttach: false,
  decline: null,
}

function cardDeclined(decline_code: string, message = 'Your card was declined.'): Decline {
  return { code: 'card_declined', decline_code, message }
}

function sameCode(code: string, message: string): Decline {
  return { code, decline_code: code, message }
}

const genericDecline = cardDeclined('generic_decline')
const insufficientFunds = cardDeclined('insufficient_funds', 'Your card has insufficient funds.')

/** The decline of an off-session payment that needs authentication. */
export const authenticationRequired = sameCode(
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
)

function refusing(number: string, decline: Decline): TestCard {
  return { ...plain, numbers: [number], decline, declinesAttach: true }
}

/** A card that takes a 3-D Secure step for every payment, and to be saved. */
function authenticating(number: string, decline: Decline | null = null): TestCard {
  return { ...plain, numbers: [number], authentication: 'always', setupNeedsAuthentication: true, decline }
}

/** Test cards by the name after `pm_card_`. */
const cards: Record<string, TestCard> = {
  visa: plain,
  visa_debit: { ...plain, numbers: ['4000056655665556'], funding: 'debit' },
  mastercard: { ...plain, brand: 'mastercard', numbers: ['5555555555554444', '2223003122003222'] },
  mastercard_debit: { ...plain, brand: 'mastercard', numbers: ['5200828282828210'], funding: 'debit' },
  mastercard_prepaid: { ...plain, brand: 'mastercard', numbers: ['5105105105105100'], funding: 'prepaid' },
  amex: { ...plain, brand: 'amex', numbers: ['371449635398431', '378282246310005'] },
  discover: { ...plain, brand: 'discover', numbers: ['6011000990139424', '6011111111111117'] },
  diners: { ...plain, brand: 'diners', numbers: ['3056930009020004', '36227206271667'], last4: '3237' },
  jcb: { ...plain, brand: 'jcb', numbers: ['3566002020360505'], country: 'JP' },
  unionpay: { ...plain, brand: 'unionpay', numbers: ['6200000000000005'], country: 'CN' },
  de: { ...plain, numbers: ['4000002760000016'], country: 'DE' },
  gb: { ...plain, numbers: ['4000008260000000'], country: 'GB' },
  fr: { ...plain, numbers: ['4000002500000003'], country: 'FR' },
  createDispute: { ...plain, numbers: ['4000000000000259'] },
  refundFail: { ...plain, numbers: ['4000000000005126'] },
  threeDSecureOptional: { ...plain, numbers: ['4000000000003055'] },
  chargeCustomerFail: { ...plain, numbers: ['4000000000000341'], decline: genericDecline },
  chargeDeclined: refusing('4000000000000002', genericDecline),
  chargeDeclinedInsufficientFunds: refusing('4000000000009995', insufficientFunds),
  chargeDeclinedLostCard: refusing('4000000000009987', cardDeclined('lost_card')),
  chargeDeclinedStolenCard: refusing('4000000000009979', cardDeclined('stolen_card')),
  chargeDeclinedVelocityLimitExceeded: refusing(
    '4000000000006975',
    cardDeclined('card_velocity_exceeded', 'Your card was declined for making repeated attempts too frequently.'),
  ),
  chargeDeclinedFraudulent: refusing('4100000000000019', cardDeclined('fraudulent')),
  chargeDeclinedExpiredCard: refusing('4000000000000069', sameCode('expired_card', 'Your card has expired.')),
  chargeDeclinedIncorrectCvc: refusing(
    '4000000000000127',
    sameCode('incorrect_cvc', "Your card's security code is incorrect."),
  ),
  chargeDeclinedProcessingError: refusing(
    '4000000000000119',
    sameCode('processing_error', 'An error occurred while processing your card. Try again in a little bit.'),
  ),
  authenticationRequired: authenticating('4000002760003184'),
  authenticationRequiredOnSetup: { ...authenticating('4000002500003155'), authentication: 'unless_set_up' },
  authenticationRequiredSetupForOffSession: { ...plain, numbers: ['4000003800000446'], authentication: 'on_session' },
  authenticationRequiredChargeDeclinedInsufficientFunds: authenticating('4000008260003178', insufficientFunds),
  threeDSecure2Required: authenticating('4000000000003220'),
  threeDSecureRequired: authenticating('4000000000003063'),
  threeDSecureRequiredChargeDeclined: authenticating('4000008400001629', genericDecline),
}

/** The test card behind a test id such as `pm_card_visa` (`pm_card_visa_chargeDeclined` is another name of `pm_card_chargeDeclined`). */
export function testCardName(testId: string): string | undefined {
  if (!testId.startsWith('pm_card_')) return undefined
  const name = testId.slice('pm_card_'.length)
  const alias = name.replace(/^visa_(?=chargeDeclined)/, '')
  return Object.hasOwn(cards, alias) ? alias : undefined
}

/** Behaviour of a card named by `testCardName`; an unknown name behaves like a plain Visa. */
export function testCard(name: string): TestCard & { last4: string } {
  const card = cards[name] ?? plain
  return { last4: card.numbers[0].slice(-4), ...card }
}

/** The name of the test card with this number, given as digits; undefined if Stripe has no such test card. */
export function cardNameOf(number: string): string | undefined {
  return Object.keys(cards).find((name) => testCard(name).numbers.includes(number))
}
