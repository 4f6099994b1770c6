import createClient from 'openapi-fetch'
import { dataOf, expect, settings, setUpCard } from '../settings.ts'
import type { paths } from './generated/schema'

const api = createClient<paths>({ baseUrl: settings.base_url })

const { client_id, client_secret, redirect_uri, code } = settings
const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, code }
const token = dataOf(await api.POST('/api/oauth/token', { body: grant }))
const headers = { authorization: `${token.token_type} ${token.access_token}` }

const params = { query: { organization_id: settings.organization_id } }

const intent = dataOf(await api.POST('/api/billing/card-gateway/setup-intent', { params, headers }))
const payment_method_id = await setUpCard(intent.client_secret)
const cart = { product_codes: ['base_ota', 'no_such_plan'], payment_method_id }
const [bought, refused] = dataOf(await api.POST('/api/billing/checkout', { params, body: cart, headers }))
expect('the bought line', bought?.ok && [bought.product, bought.subscription.status], ['ota', 'active'])
expect('the refused line', refused?.ok === false && refused.error, 'unknown_plan')

const { entitlements } = dataOf(await api.GET('/api/billing/entitlements', { params, headers }))
const active = entitlements.filter((entitlement) => entitlement.active).map(({ product }) => product)
expect('entitlements', active, ['ota'])

const invalid = await api.POST('/api/billing/checkout', { params, body: { product_codes: [] }, headers })
const problems = invalid.error !== undefined && 'detail' in invalid.error ? invalid.error.detail : []
expect('the place of a problem', typeof problems !== 'string' && problems[0]?.loc, ['body', 'product_codes'])
const unauthorized = await api.GET('/api/users/me')
expect('an error', unauthorized.error && 'code' in unauthorized.error && unauthorized.error.code, 'unauthorized')
