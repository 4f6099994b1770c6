import { words } from '../params/words.ts'

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
export interface TestCard {
  brand: string
  /** Stripe's test numbers of the card, which a browser sends. */
  numbers: readonly [string, ...string[]]
  /** The digits that are shown if they are not the last of its first number. */
  last4?: string
  /** The network beside that of its brand. */
  coBrand?: 'cartes_bancaires' | 'eftpos_au'
  /** What the bank says of an address that was sent with the card, if it is not `pass`. */
  addressChecks?: { line1?: 'fail' | 'unavailable'; postalCode?: 'fail' | 'unavailable' }
  /** How its cardholder disputes a charge. An inquiry takes no money. */
  dispute?: { reason: 'fraudulent' | 'product_not_received'; inquiry?: true }
  /** How its refunds end some time later. */
  refund?: 'fails' | 'is_pending'
  country: string
  funding: 'credit' | 'debit' | 'prepaid'
  authentication: 'never' | 'always' | 'unless_set_up' | 'on_session'
  setupNeedsAuthentication: boolean
  declinesAttach: boolean
  decline: Decline | null
}

export const plain: TestCard = {
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

/** Visa cards of countries, which succeed without authentication. */
const countryNumbers = {
  ae: '4000007840000001',
  ar: '4000000320000021',
  at: '4000000400000008',
  au: '4000000360000006',
  be: '4000000560000004',
  bg: '4000001000000000',
  br: '4000000760000002',
  by: '4000001120000005',
  ca: '4000001240000000',
  ch: '4000007560000009',
  cl: '4000001520000001',
  cn: '4000001560000002',
  co: '4000001700000003',
  cr: '4000001880000005',
  cy: '4000001960000008',
  cz: '4000002030000002',
  de: '4000002760000016',
  dk: '4000002080000001',
  ec: '4000002180000000',
  ee: '4000002330000009',
  es: '4000007240000007',
  fi: '4000002460000001',
  fr: '4000002500000003',
  gb: '4000008260000000',
  gi: '4000002920000005',
  gr: '4000003000000030',
  hk: '4000003440000004',
  hr: '4000001910000009',
  hu: '4000003480000005',
  ie: '4000003720000005',
  in: '4000003560000008',
  it: '4000003800000008',
  jp: '4000003920000003',
  li: '4000004380000004',
  lt: '4000004400000000',
  lu: '4000004420000006',
  lv: '4000004280000005',
  mt: '4000004700000007',
  mx: '4000004840008001',
  my: '4000004580000002',
  nl: '4000005280000002',
  no: '4000005780000007',
  nz: '4000005540000008',
  pa: '4000005910000000',
  pe: '4000006040000068',
  pl: '4000006160000005',
  pt: '4000006200000007',
  py: '4000006000000066',
  ro: '4000006420000001',
  sa: '4000006820000007',
  se: '4000007520000008',
  sg: '4000007020000003',
  si: '4000007050000006',
  sk: '4000007030000001',
  tw: '4000001580000008',
  us: '4242424242424242',
  uy: '4000008580000003',
}

const byCountry = Object.fromEntries(
  Object.entries(countryNumbers).map(([country, number]): [string, TestCard] => [
    country,
    { ...plain, numbers: [number], country: country.toUpperCase() },
  ]),
)

/** Test cards by the name after `pm_card_`. */
export const testCards: Record<string, TestCard> = {
  visa: plain,
  visa_debit: { ...plain, numbers: ['4000056655665556'], funding: 'debit' },
  mastercard: { ...plain, brand: 'mastercard', numbers: ['5555555555554444', '2223003122003222'] },
  mastercard_debit: { ...plain, brand: 'mastercard', numbers: ['5200828282828210'], funding: 'debit' },
  mastercard_prepaid: { ...plain, brand: 'mastercard', numbers: ['5105105105105100'], funding: 'prepaid' },
  amex: { ...plain, brand: 'amex', numbers: ['371449635398431', '378282246310005'] },
  amex_threeDSecureNotSupported: { ...plain, brand: 'amex', numbers: ['378282246310005'] },
  discover: { ...plain, brand: 'discover', numbers: ['6011000990139424', '6011111111111117'] },
  discover_debit: { ...plain, brand: 'discover', numbers: ['6011981111111113'], funding: 'debit' },
  diners: { ...plain, brand: 'diners', numbers: ['3056930009020004', '36227206271667'], last4: '3237' },
  jcb: { ...plain, brand: 'jcb', numbers: ['3566002020360505'], country: 'JP' },
  unionpay: { ...plain, brand: 'unionpay', numbers: ['6200000000000005', '6205500000000000004'], country: 'CN' },
  unionpay_debit: { ...plain, brand: 'unionpay', numbers: ['6200000000000047'], country: 'CN', funding: 'debit' },
  ae_mastercard: { ...plain, brand: 'mastercard', numbers: ['5200007840000022'], country: 'AE' },
  gb_debit: { ...plain, numbers: ['4000058260000005'], country: 'GB', funding: 'debit' },
  gb_mastercard: { ...plain, brand: 'mastercard', numbers: ['5555558265554449'], country: 'GB' },
  th_credit: { ...plain, numbers: ['4000007640000003'], country: 'TH' },
  th_debit: { ...plain, numbers: ['4000057640000008'], country: 'TH', funding: 'debit' },
  visa_cartesBancaires: { ...plain, numbers: ['4000002500001001'], country: 'FR', coBrand: 'cartes_bancaires' },
  mastercard_cartesBancaires: {
    ...plain,
    brand: 'mastercard',
    numbers: ['5555552500001001'],
    country: 'FR',
    coBrand: 'cartes_bancaires',
  },
  visa_debit_eftposAuCoBranded: {
    ...plain,
    numbers: ['4000050360000001'],
    country: 'AU',
    funding: 'debit',
    coBrand: 'eftpos_au',
  },
  mastercard_debit_eftposAuCoBranded: {
    ...plain,
    brand: 'mastercard',
    numbers: ['5555050360000080'],
    country: 'AU',
    funding: 'debit',
    coBrand: 'eftpos_au',
  },
  debit_visaFsaProductCode: { ...plain, numbers: ['4000051230000072'], funding: 'debit' },
  debit_visaHsaProductCode: { ...plain, numbers: ['4000051230000072'], funding: 'debit' },
  mastercard_debit_mastercardFsaProductCode: {
    ...plain,
    brand: 'mastercard',
    numbers: ['5200828282828897'],
    funding: 'debit',
  },
  bypassPending: { ...plain, numbers: ['4000000000000077'] },
  bypassPendingInternational: { ...plain, numbers: ['4000003720000278'], country: 'IE' },
  avsLine1Fail: { ...plain, numbers: ['4000000000000028'], addressChecks: { line1: 'fail' } },
  avsUnchecked: {
    ...plain,
    numbers: ['4000000000000044'],
    addressChecks: { line1: 'unavailable', postalCode: 'unavailable' },
  },
  createDispute: { ...plain, numbers: ['4000000000000259'], dispute: { reason: 'fraudulent' } },
  createDisputeProductNotReceived: {
    ...plain,
    numbers: ['4000000000002685'],
    dispute: { reason: 'product_not_received' },
  },
  createDisputeInquiry: {
    ...plain,
    numbers: ['4000000000001976'],
    dispute: { reason: 'fraudulent', inquiry: true },
  },
  refundFail: { ...plain, numbers: ['4000000000005126'], refund: 'fails' },
  pendingRefund: { ...plain, numbers: ['4000000000007726'], refund: 'is_pending' },
  // 3-D Secure is not asked for by default, and passes without the buyer if it is.
  threeDSecureOptional: { ...plain, numbers: ['4000000000003055', '4000000032200000'] },
  threeDSecureOptionalProcessingError: { ...plain, numbers: ['4000000000003097'] },
  chargeCustomerFail: { ...plain, numbers: ['4000000000000341'], decline: genericDecline },
  chargeCustomerFailLostCard: { ...plain, numbers: ['4000000000000341'], decline: cardDeclined('lost_card') },
  chargeCustomerFailStolenCard: { ...plain, numbers: ['4000000000000341'], decline: cardDeclined('stolen_card') },
  chargeDeclined: refusing('4000000000000002', genericDecline),
  chargeDeclinedInsufficientFunds: refusing('4000000000009995', insufficientFunds),
  chargeDeclinedLostCard: refusing('4000000000009987', cardDeclined('lost_card')),
  chargeDeclinedStolenCard: refusing('4000000000009979', cardDeclined('stolen_card')),
  chargeDeclinedVelocityLimitExceeded: refusing(
    '4000000000006975',
    cardDeclined('card_velocity_exceeded', 'Your card was declined for making repeated attempts too frequently.'),
  ),
  radarBlock: refusing('4100000000000019', cardDeclined('fraudulent')),
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
  threeDSecure2Required: { ...authenticating('4000000000003220'), numbers: ['4000000000003220', '4000008400000027'] },
  threeDSecureRequired: authenticating('4000000000003063'),
  threeDSecureRequiredChargeDeclined: authenticating('4000008400001629', genericDecline),
  // Last, so that the number of a Visa names it first.
  ...byCountry,
}

/** Test cards that Stripe has and the emulator answers with 501, by the reason: their names, and their numbers. */
export const uncoveredCards: readonly { reason: string; names: readonly string[]; numbers: readonly string[] }[] = [
  {
    reason: "what it does depends on the account's Radar rules, and the emulator has none",
    names: words(
      'adaptive3dsChallenge avsFail avsZipFail avsZipFailElevatedRisk cvcCheckFail cvcCheckFailElevatedRisk',
      'freeTrialAbuseBlock highEfwScore highFraudDisputeScore radarDynamicRiskThreshold riskLevelElevated',
      'riskLevelHighest',
    ),
    numbers: words(
      '4000000000000010 4000000000000036 4000000000000101 4000000000004954 4000000000009235 4000008400000159',
      '4000008400000407 4000008400001017 4000008405600003 4000058400306072 4000058400307872 4001858821843804',
    ),
  },
  {
    reason: 'the emulator has no such dispute, and no early fraud warnings',
    names: words(
      'createAutoRepresentmentEligibleDispute createCe3EligibleDispute createComplianceDispute',
      'createIssuerFraudRecord createMastercardComplianceDispute createMultipleDisputes',
    ),
    numbers: words(
      '4000000000005423 4000000001000043 4000000404000038 4000000404000079 4000008400000779 5105008400000002',
    ),
  },
  {
    reason: 'Stripe does not document how its 3-D Secure step or its captcha ends in a browser',
    names: ['threeDSecureRequiredProcessingError'],
    numbers: words(
      '4000000000001208 4000000000003725 4000008400001280 4000582600000045 4000582600000094 4000582600000102',
      '4000582600000110',
    ),
  },
  {
    reason: 'the emulator has no cards of its brand',
    names: [],
    numbers: ['5062210000000009', '6555900000604105'],
  },
]
