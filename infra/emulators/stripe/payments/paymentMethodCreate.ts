import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, missingParam, StripeFault } from '../wire/errors.ts'
import { forBrowsers, route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { cardNameOf, testCard, testCardName } from './cards.ts'
import { passesLuhn } from './passesLuhn.ts'
import { billingShape, mergeBilling, mint, redisplay } from './paymentMethods.ts'

/** Types of payment methods that Stripe has and the emulator does not. */
const otherMethodTypes = words(
  'acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact billie',
  'bizum blik boleto cashapp crypto custom customer_balance eps fpx giropay grabpay ideal kakao_pay klarna',
  'konbini kr_card link mb_way mobilepay multibanco naver_pay nz_bank_account oxxo pay_by_bank payco paynow',
  'paypal paypay payto pix promptpay revolut_pay samsung_pay satispay scalapay sepa_debit sequra sofort',
  'sunbit swish twint upi us_bank_account wechat_pay zip',
)

const createParams = p.paramsFor<Stripe.PaymentMethodCreateParams>()(
  {
    allow_redisplay: p.word(redisplay).optional(),
    billing_details: p.nested(billingShape, ['tax_id']).optional(),
    card: p
      .nested(
        {
          number: p.text().optional(),
          exp_month: p.integer().optional(),
          exp_year: p.integer().optional(),
          cvc: p.text().optional(),
          token: p.text().optional(),
        },
        ['networks'],
      )
      .optional(),
    metadata: p.metadata().optional(),
    type: p.coveredWord('card', [...otherMethodTypes, 'p24']),
  },
  [...otherMethodTypes, 'customer', 'interac_present', 'payment_method', 'radar_options'],
)

/** The card details of a request; never stored whole. */
interface SentCard {
  number?: string | undefined
  exp_month?: number | undefined
  exp_year?: number | undefined
  cvc?: string | undefined
}

type SentAddress = { line1?: string | undefined; postal_code?: string | undefined } | null | undefined

function invalidCard(code: string, message: string, param: string): StripeFault {
  return new StripeFault(402, { type: 'card_error', code, message, param })
}

/** The expiry with a year of four digits. Throws a `card_error` if it is no date, or past on the emulator's clock. */
function expiryOf(context: Context, { exp_month: month, exp_year: year }: SentCard) {
  if (month === undefined) throw missingParam('card[exp_month]')
  if (year === undefined) throw missingParam('card[exp_year]')
  const today = new Date(context.now * 1000)
  const [thisYear, thisMonth] = [today.getUTCFullYear(), today.getUTCMonth() + 1]
  const fullYear = year < 100 ? 2000 + year : year
  if (month < 1 || month > 12)
    throw invalidCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  if (fullYear < thisYear || fullYear > thisYear + 50)
    throw invalidCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  if (fullYear === thisYear && month < thisMonth)
    throw invalidCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  return { exp_month: month, exp_year: fullYear }
}

/** The test card with this number. Throws a `card_error` if there is none. */
function cardOfNumber(number: string): string {
  if (!passesLuhn(number)) throw invalidCard('incorrect_number', 'Your card number is incorrect.', 'number')
  const name = cardNameOf(number)
  if (name !== undefined) return name
  const message =
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: ' +
    'https://stripe.com/docs/testing.'
  const decline = { code: 'card_declined', decline_code: 'test_mode_live_card', message }
  throw new StripeFault(402, { type: 'card_error', ...decline })
}

function checkCvc(cvc: string | undefined, brand: string): void {
  if (cvc === undefined || (brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) return
  throw invalidCard('invalid_cvc', "Your card's security code is invalid.", 'cvc')
}

/** The test card of a token such as `tok_visa`. Throws a 400 that names `param` if there is none. */
export function cardOfToken(token: string, param: string): string {
  const name = token.startsWith('tok_') ? testCardName(token, param) : undefined
  if (name !== undefined) return name
  throw invalidRequest(`No such token: '${token}'`, 'resource_missing', param)
}

/** A fresh method of the card that was sent, by number or by a test token (`tok_visa`); only its last four digits are kept. */
function methodOf(context: Context, sent: SentCard & { token?: string | undefined }, address: SentAddress) {
  if (sent.token !== undefined) return mint(context, cardOfToken(sent.token, 'card[token]'))
  const number = sent.number?.replaceAll(/[ -]/g, '')
  if (number === undefined) throw missingParam('card[number]')
  const name = cardOfNumber(number)
  const expiry = expiryOf(context, sent)
  checkCvc(sent.cvc, testCard(name).brand)
  const checks = {
    address_line1_check: address?.line1 ? 'unchecked' : null,
    address_postal_code_check: address?.postal_code ? 'unchecked' : null,
    cvc_check: sent.cvc === undefined ? null : 'unchecked',
  }
  return mint(context, name, { ...expiry, last4: number.slice(-4), checks })
}

function create(context: Context, sent: p.ParsedBy<typeof createParams>): Wire<Stripe.PaymentMethod> {
  if (sent.card === undefined) throw missingParam('card')
  const method = methodOf(context, sent.card, sent.billing_details?.address)
  const row = {
    ...method,
    allow_redisplay: sent.allow_redisplay ?? 'unspecified',
    billing_details: mergeBilling(method, sent.billing_details),
    metadata: p.mergeMetadata({}, sent.metadata),
  }
  context.store.put('payment_methods', row)
  return row
}

/** `POST /v1/payment_methods`: https://docs.stripe.com/api/payment_methods/create, of cards. Numbers are taken from browsers only. */
export const paymentMethodCreateRoute = forBrowsers('any', route('POST', '/v1/payment_methods', createParams, create))
