import pRetry from 'p-retry'
import { openEmulatorStorage, type StripeCore, type StripeServer, startStripeServer } from 'stripe-emulator'
import { createFollowedClock } from '../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../lib/adapters/clock/systemClock.ts'
import type { Clock } from '../../lib/core/clock.ts'
import { seedCatalog } from '../stripe/seedCatalog.ts'
import { setUpStripe } from '../stripe/setUpStripe.ts'
import { stripeClient } from '../stripe/stripeClient.ts'
import { emulatorClock } from './emulatorClock.ts'
import { inProcessStripeClient } from './inProcessStripeClient.ts'
import type { ResourceScope } from './resourceScope.ts'
import { clockUrlOf, type Settings } from './settings.ts'

/** Stripe as the stack uses it: an emulator, or Stripe itself in test mode. */
export interface Gateway {
  readonly apiBase: string
  /** The emulator's clock, which the service follows; the system's clock with Stripe itself. */
  readonly clock: Clock
  readonly clockUrl: string | undefined
}

const WEBHOOK_DESCRIPTION = 'The local stack'

interface StripeOptions {
  readonly webhookUrl: string
  readonly dataDir?: string | undefined
}

/**
 * Starts the emulator unless another address or a test key of Stripe is given, and creates the catalog in it. The webhook is
 * registered only at the emulator started here: another stack's delivers to that stack, and Stripe cannot reach this machine.
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
  // Added before the emulator, so that it is closed after it.
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

/** Creates the catalog and the webhook endpoint. An endpoint saved with another port is updated, and keeps its undelivered events. */
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
  // Tests count requests: those of the set-up are not theirs.
  core.control.clearRequests()
}

/** The clock at `url`, which may be that of a stack that is still starting: asked up to six times, for three seconds and more. */
async function followClock(url: string): Promise<Clock> {
  const clock = createFollowedClock(url)
  await pRetry(() => clock.sync(), { retries: 5, minTimeout: 100, maxTimeout: 1000 })
  return clock
}
