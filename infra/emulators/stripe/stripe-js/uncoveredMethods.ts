import type { Stripe } from '@stripe/stripe-js'
import { IntegrationError } from './intentSecret.ts'

/** The part of Stripe.js' interface that the emulator has. If a page uses no more, it works with both. */
export type Covered = Pick<
  Stripe,
  | 'confirmCardPayment'
  | 'confirmCardSetup'
  | 'confirmPayment'
  | 'confirmSetup'
  | 'createConfirmationToken'
  | 'createPaymentMethod'
  | 'handleNextAction'
  | 'retrievePaymentIntent'
  | 'retrieveSetupIntent'
>

/** The methods that Stripe.js has and the emulator does not. */
type Uncovered = Exclude<keyof Stripe, keyof Covered | 'elements' | 'registerAppInfo'>

const onlyCards = 'The emulator has cards only: confirmPayment, confirmSetup, confirmCardPayment and confirmCardSetup'
const noCheckout = 'The emulator has no Checkout and no pricing tables: collect the card by a payment element'
const other = 'See "Stripe.js" of the README for what is'

/** What a page can do instead, by the method. */
const remedies: Record<Uncovered, string> = {
  collectBankAccountForPayment: onlyCards,
  collectBankAccountForSetup: onlyCards,
  collectBankAccountToken: onlyCards,
  collectFinancialConnectionsAccounts: other,
  confirmAcssDebitPayment: onlyCards,
  confirmAcssDebitSetup: onlyCards,
  confirmAffirmPayment: onlyCards,
  confirmAfterpayClearpayPayment: onlyCards,
  confirmAlipayPayment: onlyCards,
  confirmAmazonPaySetup: onlyCards,
  confirmAuBecsDebitPayment: onlyCards,
  confirmAuBecsDebitSetup: onlyCards,
  confirmBacsDebitSetup: onlyCards,
  confirmBancontactPayment: onlyCards,
  confirmBancontactSetup: onlyCards,
  confirmBilliePayment: onlyCards,
  confirmBlikPayment: onlyCards,
  confirmBlikSetup: onlyCards,
  confirmBoletoPayment: onlyCards,
  confirmCashappPayment: onlyCards,
  confirmCashappSetup: onlyCards,
  confirmCustomerBalancePayment: onlyCards,
  confirmEpsPayment: onlyCards,
  confirmFpxPayment: onlyCards,
  confirmGiropayPayment: onlyCards,
  confirmGrabPayPayment: onlyCards,
  confirmIdealPayment: onlyCards,
  confirmIdealSetup: onlyCards,
  confirmKlarnaPayment: onlyCards,
  confirmKonbiniPayment: onlyCards,
  confirmMobilepayPayment: onlyCards,
  confirmMultibancoPayment: onlyCards,
  confirmOxxoPayment: onlyCards,
  confirmP24Payment: onlyCards,
  confirmPayByBankPayment: onlyCards,
  confirmPayNowPayment: onlyCards,
  confirmPayPalPayment: onlyCards,
  confirmPayPalSetup: onlyCards,
  confirmPixPayment: onlyCards,
  confirmPromptPayPayment: onlyCards,
  confirmSepaDebitPayment: onlyCards,
  confirmSepaDebitSetup: onlyCards,
  confirmSofortPayment: onlyCards,
  confirmSofortSetup: onlyCards,
  confirmTwintPayment: onlyCards,
  confirmUsBankAccountPayment: onlyCards,
  confirmUsBankAccountSetup: onlyCards,
  confirmWechatPayPayment: onlyCards,
  createEmbeddedCheckoutPage: noCheckout,
  createEphemeralKeyNonce: other,
  createRadarSession: other,
  createToken: 'Use createPaymentMethod; a server may save tok_visa and its likes as a source',
  handleCardAction: 'Use handleNextAction',
  initCheckoutElementsSdk: noCheckout,
  initCheckoutFormSdk: noCheckout,
  initializePricing: noCheckout,
  paymentRequest: 'The emulator has no wallets',
  processOrder: other,
  retrieveOrder: other,
  verifyIdentity: other,
  verifyMicrodepositsForPayment: onlyCards,
  verifyMicrodepositsForSetup: onlyCards,
}

/** A method for each of them, which rejects with a sentence. Libraries look for some before they use any. */
export function uncoveredMethods(): Record<string, () => Promise<never>> {
  return Object.fromEntries(
    Object.entries(remedies).map(([name, remedy]) => [
      name,
      async () => {
        throw new IntegrationError(`The emulator of Stripe.js does not cover stripe.${name}. ${remedy}.`)
      },
    ]),
  )
}
