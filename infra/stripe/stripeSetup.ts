import { parseArgs } from 'node:util'
import { readSettings } from '../local/settings.ts'
import { setUpStripe } from './setUpStripe.ts'
import { stripeClient } from './stripeClient.ts'

/**
 * `npm run stripe:setup [-- --webhook-url URL]`: creates the catalog and a webhook endpoint in the account of STRIPE_SECRET_KEY, or in
 * the emulator at STRIPE_API_BASE. Exits with 1 if something differs that cannot be changed.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { 'webhook-url': { type: 'string' } } })
  const webhookUrl = values['webhook-url']
  if (webhookUrl !== undefined && !URL.canParse(webhookUrl)) throw new Error(`not a URL: ${webhookUrl}`)
  const { stripeApiBase, stripeSecretKey } = readSettings(process.env)
  if (stripeApiBase === undefined)
    throw new Error('which account? Set STRIPE_SECRET_KEY=sk_test_..., or STRIPE_API_BASE for an emulator')
  const stripe = stripeClient(stripeApiBase, stripeSecretKey)
  const { steps, webhookSecret } = await setUpStripe(stripe, { ...(webhookUrl !== undefined && { webhookUrl }) })
  for (const { done, what } of steps) console.log(`${done.padEnd(8)} ${what}`)
  if (webhookSecret !== undefined)
    console.log(`\nThe signing secret, shown only once: STRIPE_WEBHOOK_SECRETS=${webhookSecret}`)
  return steps.some(({ done }) => done === 'differs') ? 1 : 0
}

main().then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    console.error(`Stripe is not set up: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  },
)
