import { dataOf, expect, settings, setUpCard } from '../settings.ts'
import { client } from './generated/client.gen'
import { createCheckout, createSetupIntent, createToken, getCurrentUser, listEntitlements } from './generated/sdk.gen'

client.setConfig({ baseUrl: settings.base_url })

const { client_id, client_secret, redirect_uri, code } = settings
const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, code }
const token = dataOf(await createToken({ body: grant }))
const auth = token.access_token

const query = { organization_id: settings.organization_id }

const intent = dataOf(await createSetupIntent({ query, auth }))
const payment_method_id = await setUpCard(intent.client_secret)
const cart = { product_codes: ['base_ota', 'no_such_plan'], payment_method_id }
const [bought, refused] = dataOf(await createCheckout({ query, body: cart, auth }))
expect('the bought line', bought?.ok && [bought.product, bought.subscription.status], ['ota', 'active'])
expect('the refused line', refused?.ok === false && refused.error, 'unknown_plan')

const { entitlements } = dataOf(await listEntitlements({ query, auth }))
const active = entitlements.filter((entitlement) => entitlement.active).map(({ product }) => product)
expect('entitlements', active, ['ota'])

const invalid = await createCheckout({ query, body: { product_codes: [] }, auth })
const problems = invalid.error !== undefined && 'detail' in invalid.error ? invalid.error.detail : []
expect('the place of a problem', typeof problems !== 'string' && problems[0]?.loc, ['body', 'product_codes'])
const unauthorized = await getCurrentUser()
expect('an error', unauthorized.error && 'code' in unauthorized.error && unauthorized.error.code, 'unauthorized')
