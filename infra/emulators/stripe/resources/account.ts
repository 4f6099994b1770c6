import type Stripe from 'stripe'
import { noParams } from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'

/** The account that every key is of. */
const account: Wire<Stripe.Account> = {
  id: 'acct_1StripeEmulator0',
  object: 'account',
  business_profile: {
    ...nulls(
      'annual_revenue estimated_worker_count mcc minority_owned_business_designation product_description',
      'specified_commercial_transactions_act_url support_address support_email support_phone support_url url',
    ),
    name: 'Stripe emulator',
  },
  business_type: null,
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  settings: {
    branding: nulls('icon logo primary_color secondary_color'),
    card_payments: nulls(
      'statement_descriptor_prefix statement_descriptor_prefix_kana statement_descriptor_prefix_kanji',
    ),
    dashboard: { display_name: 'Stripe emulator', timezone: 'Etc/UTC' },
    payments: nulls(
      'statement_descriptor statement_descriptor_kana statement_descriptor_kanji',
      'statement_descriptor_prefix_kana statement_descriptor_prefix_kanji',
    ),
  },
  type: 'standard',
}

/** `GET /v1/account`, which sync engines read first (https://docs.stripe.com/api/accounts/retrieve). */
export const accountRoutes = [route('GET', '/v1/account', noParams, () => account)]
