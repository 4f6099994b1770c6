import { afterAll, describe, expect, it } from '@jest/globals'
import { words } from '../../params/words.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe, core } = emulator
const publishableKey = 'pk_test_local'
afterAll(() => emulator.close())

// The names of https://docs.stripe.com/testing, without `pm_card_` or `tok_`.
const countries = words(
  'ae ar at au be bg br by ca ch cl cn co cr cy cz de dk ec ee es fi fr gb gi gr hk hr hu ie in it jp li lt lu lv mt',
  'mx my nl no nz pa pe pl pt py ro se sg si sk tw us uy',
)
const paying = words(
  'visa visa_debit mastercard mastercard_debit mastercard_prepaid amex discover diners jcb unionpay',
  'visa_cartesBancaires mastercard_cartesBancaires visa_debit_eftposAuCoBranded',
  'mastercard_debit_eftposAuCoBranded ae_mastercard gb_debit gb_mastercard th_credit th_debit',
  'debit_visaFsaProductCode debit_visaHsaProductCode mastercard_debit_mastercardFsaProductCode bypassPending',
  'bypassPendingInternational avsLine1Fail avsUnchecked createDispute createDisputeProductNotReceived',
  'createDisputeInquiry refundFail pendingRefund threeDSecureOptional threeDSecureOptionalProcessingError',
  'amex_threeDSecureNotSupported',
)
const declining = words(
  'visa_chargeDeclined visa_chargeDeclinedInsufficientFunds visa_chargeDeclinedLostCard',
  'visa_chargeDeclinedStolenCard visa_chargeDeclinedVelocityLimitExceeded chargeDeclinedExpiredCard',
  'chargeDeclinedIncorrectCvc chargeDeclinedProcessingError chargeCustomerFail radarBlock',
  'visa_chargeCustomerFailLostCard visa_chargeCustomerFailStolenCard',
)
const authenticating = words(
  'authenticationRequired authenticationRequiredOnSetup authenticationRequiredSetupForOffSession',
  'authenticationRequiredChargeDeclinedInsufficientFunds threeDSecure2Required threeDSecureRequiredChargeDeclined',
)
const uncovered = words(
  'riskLevelHighest riskLevelElevated highFraudDisputeScore highEfwScore radarDynamicRiskThreshold',
  'freeTrialAbuseBlock adaptive3dsChallenge cvcCheckFail avsZipFail cvcCheckFailElevatedRisk',
  'avsZipFailElevatedRisk avsFail createIssuerFraudRecord createMultipleDisputes createCe3EligibleDispute',
  'createComplianceDispute createMastercardComplianceDispute createAutoRepresentmentEligibleDispute',
  'threeDSecureRequiredProcessingError',
)

const pay = (card: string) =>
  core.call('POST', '/v1/payment_intents', { amount: 900, currency: 'usd', confirm: true, payment_method: card })
const byToken = (name: string) =>
  core.call('POST', '/v1/payment_methods', { type: 'card', card: { token: `tok_${name}` } })

/** The status of a payment with each card, named as a payment method and as a token. */
function outcomes(names: string[]): [string, unknown, unknown][] {
  return names.map((name) => {
    const paid = pay(`pm_card_${name}`)
    const status = Object(paid.body).status ?? Object(paid.body).error?.type
    const minted = Object(byToken(name).body)
    const again = minted.id === undefined ? minted.error?.code : Object(pay(minted.id).body)
    return [name, status, again.status ?? again.error?.type ?? again]
  })
}
const all = (names: string[], status: string) => names.map((name) => [name, status, status])

describe("The test cards of Stripe's testing page", () => {
  it('pay', () => {
    expect(outcomes([...countries, ...paying])).toEqual(all([...countries, ...paying], 'succeeded'))
  })

  it('decline', () => {
    expect(outcomes(declining)).toEqual(all(declining, 'card_error'))
  })

  it('take a 3-D Secure step', () => {
    expect(outcomes(authenticating)).toEqual(all(authenticating, 'requires_action'))
  })

  it.each(uncovered)('are 501 with a reason if the emulator lacks what they do: %s', async (name) => {
    const refused = { statusCode: 501, code: 'unsupported_value', message: expect.stringMatching(/because .+\./) }
    await expectRefusal(stripe.paymentMethods.retrieve(`pm_card_${name}`), refused)
    const method = { type: 'card', card: { token: `tok_${name}` } } as const
    await expectRefusal(stripe.paymentMethods.create(method), { ...refused, param: 'card[token]' })
  })

  it('are of their country, their network and their kind', async () => {
    const hungarian = await stripe.paymentMethods.retrieve('pm_card_hu')
    expect(hungarian.card).toMatchObject({ country: 'HU', last4: '0005', brand: 'visa' })
    const cobranded = await stripe.paymentMethods.retrieve('pm_card_mastercard_cartesBancaires')
    expect(cobranded.card?.networks?.available).toEqual(['cartes_bancaires', 'mastercard'])
  })

  it.each([
    ['tok_avsLine1Fail', 'fail', 'pass'],
    ['tok_avsUnchecked', 'unavailable', 'unavailable'],
  ])('pass the checks of addresses, or do not: %s', async (token, line1, postal) => {
    const number = token === 'tok_avsLine1Fail' ? '4000000000000028' : '4000000000000044'
    const { id: customer } = await stripe.customers.create()
    const form = new URLSearchParams({
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '1',
      'card[exp_year]': '40',
      'billing_details[address][line1]': 'Main St 1',
      'billing_details[address][postal_code]': '12345',
    })
    const answer = await fetch(`${emulator.apiBase}/v1/payment_methods`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${publishableKey}` },
    })
    const { id } = Object(await answer.json())
    const saved = await stripe.paymentMethods.attach(id, { customer })
    const { address_line1_check, address_postal_code_check } = saved.card?.checks ?? {}
    expect([address_line1_check, address_postal_code_check]).toEqual([line1, postal])
  })

  it.each(['4000000000004954', '4000000404000079', '4000000000001208', '5062210000000009'])(
    'are 501 by number as well, of which only the end is told: %s',
    async (number) => {
      const form = new URLSearchParams({ type: 'card', 'card[number]': number })
      const headers = { authorization: `Bearer ${publishableKey}` }
      const answer = await fetch(`${emulator.apiBase}/v1/payment_methods`, { method: 'POST', body: form, headers })
      const text = await answer.text()
      expect([answer.status, text.includes(number.slice(-4)), text.includes(number)]).toEqual([501, true, false])
    },
  )
})
