import pRetry from 'p-retry'
import Stripe from 'stripe'
import { openEmulatorStorage, type StripeCore, type StripeServer, startStripeServer } from 'stripe-emulator'
import { createFollowedClock } from '../../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../../lib/adapters/clock/systemClock.ts'
import type { Clock } from '../../../lib/core/clock.ts'
import { seedCatalog } from '../../stripe/seedCatalog.ts'
import { setUpStripe } from '../../stripe/setUpStripe.ts'
import { stripeClient } from '../../stripe/stripeClient.ts'
import type { ResourceScope } from '../resourceScope.ts'
import { clockUrlOf, type Settings } from '../settings.ts'

/** An emulator, or Stripe itself in test mode. */
interface Gateway {
  readonly apiBase: string
  /** The emulator's clock, which the service follows. With Stripe itself, the system's clock. */
  readonly clock: Clock
  readonly clockUrl: string | undefined
}

const WEBHOOK_DESCRIPTION = 'The local stack'

interface StripeOptions {
  readonly webhookUrl: string
  readonly dataDir?: string | undefined
}

/**
 * Starts the emulator unless the settings name another address or a test key of Stripe, and creates the catalog. Registers the webhook
 * only if it starts the emulator: another stack's emulator delivers to that stack, and Stripe cannot reach this machine.
 */
export async function openStripe(
  settings: Settings,
  resources: ResourceScope,
  options: StripeOptions,
): Promise<Gateway> {
  const { stripeApiBase: given } = settings
  if (given === undefined) {
    const { apiBase, core } = await startEmulator(settings, resources, options)
    const clock = settings.clockUrl === undefined ? emulatorClock(core) : await followClock(settings.clockUrl)
    return { apiBase, clock, clockUrl: settings.clockUrl ?? clockUrlOf(apiBase) }
  }
  const clockUrl = settings.clockUrl ?? clockUrlOf(given)
  const clock = clockUrl === undefined ? systemClock : await followClock(clockUrl)
  await setUpStripe(stripeClient(given, settings.stripeSecretKey))
  return { apiBase: given, clock, clockUrl }
}

async function startEmulator(
  settings: Settings,
  resources: ResourceScope,
  { webhookUrl, dataDir }: StripeOptions,
): Promise<StripeServer> {
  // Added before the emulator, so that it closes after it.
  const storage = dataDir === undefined ? undefined : await resources.add(openEmulatorStorage(dataDir))
  const server = await resources.add(
    startStripeServer({
      secretKey: settings.stripeSecretKey,
      publishableKey: settings.stripePublishableKey,
      settings: { oneLivePer: ['organization_id', 'product'], customerLock: true },
      snapshot: storage?.snapshot,
      changes: storage?.changes,
      storage,
      seed: (fresh) => seedEmulator(fresh, settings, webhookUrl),
    }),
  )
  storage?.startWith(() => server.core.snapshot())
  return server
}

/** Creates the catalog and the webhook endpoint. If an endpoint was saved with another port, it gets the new URL and keeps its undelivered events. */
async function seedEmulator(
  core: StripeCore,
  { stripeSecretKey, webhookSecrets }: Settings,
  url: string,
): Promise<void> {
  const stripe = inProcessStripeClient(core, stripeSecretKey)
  await seedCatalog(stripe, core.now())
  const { data: endpoints } = await stripe.webhookEndpoints.list()
  const ours = endpoints.find((endpoint) => endpoint.description === WEBHOOK_DESCRIPTION)
  if (ours !== undefined && ours.url !== url) await stripe.webhookEndpoints.update(ours.id, { url })
  const [secret, previousSecret] = webhookSecrets
  const description = WEBHOOK_DESCRIPTION
  core.registerWebhookEndpoint({ url, secret, description, ...(previousSecret !== undefined && { previousSecret }) })
  // Tests count requests, without those of the set-up.
  core.control.clearRequests()
}

/** Tries up to six times, for three seconds or more: the stack of the clock at `url` may still be starting. */
async function followClock(url: string): Promise<Clock> {
  const clock = createFollowedClock(url)
  await pRetry(() => clock.sync(), { retries: 5, minTimeout: 100, maxTimeout: 1000 })
  return clock
}

/** Reads the clock of the emulator in this process without a request, so that it answers even when the machine is busy. */
function emulatorClock(core: Pick<StripeCore, 'now'>): Clock {
  return {
    now() {
      const own = Date.now()
      return own + (core.now() - Math.floor(own / 1000)) * 1000
    },
    sync: async () => {},
  }
}

/** Connects the Stripe SDK to the emulator in this process, without a socket, so that emulator and real accounts share the set-up code. */
function inProcessStripeClient(core: StripeCore, secretKey: string): Stripe {
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const answered = await core.handle({
      method: request.method,
      path: pathname + search,
      headers,
      body: await request.text(),
    })
    if (answered === undefined) throw new TypeError('the connection was cut')
    return new Response(answered.body, { status: answered.status, headers: answered.headers })
  }
  return new Stripe(secretKey, { httpClient: Stripe.createFetchHttpClient(answer), telemetry: false })
}
