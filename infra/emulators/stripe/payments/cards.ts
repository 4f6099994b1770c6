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
  last4: string
  country: string
  funding: 'credit' | 'debit' | 'prepaid'
  authentication: 'never' | 'always' | 'unless_set_up' | 'on_session'
  setupNeedsAuthentication: boolean
  declinesAttach: boolean
  decline: Decline | null
}

const plain: TestCard = {
  brand: 'visa',
  last4: '4242',
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

function refusing(last4: string, decline: Decline): TestCard {
  return { ...plain, last4, decline, declinesAttach: true }
}

/** A card that takes a 3-D Secure step for every payment, and to be saved. */
function authenticating(last4: string, decline: Decline | null = null): TestCard {
  return { ...plain, last4, authentication: 'always', setupNeedsAuthentication: true, decline }
}

/** Test cards by the name after `pm_card_`. */
const cards: Record<string, TestCard> = {
  visa: plain,
  visa_debit: { ...plain, last4: '5556', funding: 'debit' },
  mastercard: { ...plain, brand: 'mastercard', last4: '4444' },
  mastercard_debit: { ...plain, brand: 'mastercard', last4: '8210', funding: 'debit' },
  mastercard_prepaid: { ...plain, brand: 'mastercard', last4: '5100', funding: 'prepaid' },
  amex: { ...plain, brand: 'amex', last4: '8431' },
  discover: { ...plain, brand: 'discover', last4: '9424' },
  diners: { ...plain, brand: 'diners', last4: '3237' },
  jcb: { ...plain, brand: 'jcb', last4: '0505', country: 'JP' },
  unionpay: { ...plain, brand: 'unionpay', last4: '0005', country: 'CN' },
  de: { ...plain, last4: '0016', country: 'DE' },
  gb: { ...plain, last4: '0000', country: 'GB' },
  fr: { ...plain, last4: '0003', country: 'FR' },
  createDispute: { ...plain, last4: '0259' },
  refundFail: { ...plain, last4: '5126' },
  threeDSecureOptional: { ...plain, last4: '3055' },
  chargeCustomerFail: { ...plain, last4: '0341', decline: genericDecline },
  chargeDeclined: refusing('0002', genericDecline),
  chargeDeclinedInsufficientFunds: refusing('9995', insufficientFunds),
  chargeDeclinedLostCard: refusing('9987', cardDeclined('lost_card')),
  chargeDeclinedStolenCard: refusing('9979', cardDeclined('stolen_card')),
  chargeDeclinedVelocityLimitExceeded: refusing(
    '6975',
    cardDeclined('card_velocity_exceeded', 'Your card was declined for making repeated attempts too frequently.'),
  ),
  chargeDeclinedFraudulent: refusing('0019', cardDeclined('fraudulent')),
  chargeDeclinedExpiredCard: refusing('0069', sameCode('expired_card', 'Your card has expired.')),
  chargeDeclinedIncorrectCvc: refusing('0127', sameCode('incorrect_cvc', "Your card's security code is incorrect.")),
  chargeDeclinedProcessingError: refusing(
    '0119',
    sameCode('processing_error', 'An error occurred while processing your card. Try again in a little bit.'),
  ),
  authenticationRequired: authenticating('3184'),
  authenticationRequiredOnSetup: { ...authenticating('3155'), authentication: 'unless_set_up' },
  authenticationRequiredSetupForOffSession: { ...plain, last4: '0446', authentication: 'on_session' },
  authenticationRequiredChargeDeclinedInsufficientFunds: authenticating('3178', insufficientFunds),
  threeDSecure2Required: authenticating('3220'),
  threeDSecureRequired: authenticating('3063'),
  threeDSecureRequiredChargeDeclined: authenticating('1629', genericDecline),
}

/** The test card behind a test id such as `pm_card_visa` (`pm_card_visa_chargeDeclined` is another name of `pm_card_chargeDeclined`). */
export function testCardName(testId: string): string | undefined {
  if (!testId.startsWith('pm_card_')) return undefined
  const name = testId.slice('pm_card_'.length)
  const alias = name.replace(/^visa_(?=chargeDeclined)/, '')
  return Object.hasOwn(cards, alias) ? alias : undefined
}

/** Behaviour of a card named by `testCardName`; an unknown name behaves like a plain Visa. */
export function testCard(name: string): TestCard {
  return cards[name] ?? plain
}

/** Stripe's test numbers (https://docs.stripe.com/testing) and the test card, by the name after `pm_card_`, that each is. */
const numbers: Record<string, string> = {
  '4242424242424242': 'visa',
  '4000056655665556': 'visa_debit',
  '5555555555554444': 'mastercard',
  '2223003122003222': 'mastercard',
  '5200828282828210': 'mastercard_debit',
  '5105105105105100': 'mastercard_prepaid',
  '378282246310005': 'amex',
  '371449635398431': 'amex',
  '6011111111111117': 'discover',
  '6011000990139424': 'discover',
  '3056930009020004': 'diners',
  '36227206271667': 'diners',
  '3566002020360505': 'jcb',
  '6200000000000005': 'unionpay',
  '4000002760000016': 'de',
  '4000008260000000': 'gb',
  '4000002500000003': 'fr',
  '4000000000000259': 'createDispute',
  '4000000000005126': 'refundFail',
  '4000000000003055': 'threeDSecureOptional',
  '4000000000000341': 'chargeCustomerFail',
  '4000000000000002': 'chargeDeclined',
  '4000000000009995': 'chargeDeclinedInsufficientFunds',
  '4000000000009987': 'chargeDeclinedLostCard',
  '4000000000009979': 'chargeDeclinedStolenCard',
  '4000000000006975': 'chargeDeclinedVelocityLimitExceeded',
  '4100000000000019': 'chargeDeclinedFraudulent',
  '4000000000000069': 'chargeDeclinedExpiredCard',
  '4000000000000127': 'chargeDeclinedIncorrectCvc',
  '4000000000000119': 'chargeDeclinedProcessingError',
  '4000002760003184': 'authenticationRequired',
  '4000002500003155': 'authenticationRequiredOnSetup',
  '4000003800000446': 'authenticationRequiredSetupForOffSession',
  '4000008260003178': 'authenticationRequiredChargeDeclinedInsufficientFunds',
  '4000000000003220': 'threeDSecure2Required',
  '4000000000003063': 'threeDSecureRequired',
  '4000008400001629': 'threeDSecureRequiredChargeDeclined',
}

/** The name of the test card with this number, given as digits; undefined if Stripe has no such test card. */
export function cardNameOf(number: string): string | undefined {
  return Object.hasOwn(numbers, number) ? numbers[number] : undefined
}
