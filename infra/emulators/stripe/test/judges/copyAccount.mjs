// Supabase's sync engine copies a filled account into Postgres: all 17 kinds of objects, then every event that it handles.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Stripe from 'stripe'

// Its module for `import` looks for the migrations by `__dirname`, which is not there.
const { runMigrations, StripeSync } = createRequire(import.meta.url)('@supabase/stripe-sync-engine')
const { version } = JSON.parse(readFileSync('node_modules/@supabase/stripe-sync-engine/package.json', 'utf8'))
const { STRIPE_BASE, STRIPE_KEY, DATABASE_URL } = process.env
const { hostname, port } = new URL(STRIPE_BASE)
const apiVersion = Stripe.API_VERSION

await runMigrations({ databaseUrl: DATABASE_URL, schema: 'stripe' })
const sync = new StripeSync({
  poolConfig: { connectionString: DATABASE_URL, max: 4 },
  stripeSecretKey: STRIPE_KEY,
  stripeWebhookSecret: 'whsec_judge',
  stripeApiVersion: apiVersion,
  autoExpandLists: true,
  backfillRelatedEntities: true,
})
// The engine has no option for another address.
sync.stripe = new Stripe(STRIPE_KEY, { protocol: 'http', host: hostname, port, apiVersion })
const kinds = Object.entries(await sync.syncBackfill({ object: 'all' }))
let events = 0
const unhandled = new Set()
const failed = []
for await (const event of sync.stripe.events.list({ limit: 100 })) {
  await sync.processEvent(event).then(
    () => {
      events += 1
    },
    ({ message }) => {
      if (message === 'Unhandled webhook event') unhandled.add(event.type)
      else failed.push(`${event.type}: ${message}`)
    },
  )
}
await sync.close()
const filled = kinds.filter(([, { synced }]) => synced > 0)
console.log(version, apiVersion)
console.log(`${kinds.length} kinds, ${filled.length} with objects`)
console.log(`all ${events} events that it handles, which are none of ${[...unhandled].sort().join(', ')}`)
if (kinds.length !== 17 || failed.length > 0) throw new Error([...new Set(failed)].join('\n') || 'not all kinds')
