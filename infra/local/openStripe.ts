import { join } from 'node:path'
import { createFollowedClock } from '../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../lib/adapters/clock/systemClock.ts'
import type { Clock } from '../../lib/core/clock.ts'
import type { StripeCore } from '../emulators/stripe/core/stripeCore.ts'
import { startStripeServer } from '../emulators/stripe/startStripeServer.ts'
import { seedCatalog } from '../stripe/seedCatalog.ts'
import { setUpStripe } from '../stripe/setUpStripe.ts'
import { stripeClient } from '../stripe/stripeClient.ts'
import { coreStripeClient } from './inProcessStripeClient.ts'
import { clockUrlOf, type Settings } from './settings.ts'
import { readSnapshot, saveSnapshots } from './emulatorSnapshot.ts'
import type { Opened } from './resourceScope.ts'

/** Stripe as the stack uses it: a stand-in, or Stripe itself in test mode. */
export interface Gateway {
  readonly apiBase: string
  /** The clock of the stand-in, which is then the clock of the service; the system's clock with Stripe itself. */
  readonly clock: Clock
  readonly clockUrl: string | undefined
}

const WEBHOOK_DESCRIPTION = 'The local stack'

interface Place {
  readonly webhookUrl: string
  readonly dataDir?: string | undefined
}

/**
 * Starts the stand-in unless another address or a real test key is given, and puts the catalog in. Only a stand-in of our
 * own is told of the webhook: another stack's delivers to that one, and Stripe itself cannot reach this machine.
 */
export async function openStripe(settings: Settings, opened: Opened, place: Place): Promise<Gateway> {
  const apiBase = settings.stripeApiBase ?? (await startStandIn(settings, opened, place))
  const { clock, clockUrl } = await openClock(settings, apiBase)
  if (settings.stripeApiBase !== undefined) await setUpStripe(stripeClient(apiBase, settings.stripeSecretKey))
  return { apiBase, clock, clockUrl }
}

async function startStandIn(settings: Settings, opened: Opened, { webhookUrl, dataDir }: Place): Promise<string> {
  const file = dataDir === undefined ? undefined : join(dataDir, 'stripe.json')
  const saved = file === undefined ? undefined : await readSnapshot(file)
  const { apiBase, core } = await opened.add(
    startStripeServer({
      secretKey: settings.stripeSecretKey,
      settings: { oneLivePer: ['organization_id', 'product'] },
      ...(saved !== undefined && { snapshot: JSON.parse(saved) }),
      seed: (fresh) => setUp(fresh, settings, webhookUrl),
    }),
  )
  if (file !== undefined) opened.add(saveSnapshots(file, () => core.snapshot()))
  return apiBase
}

/** The catalog, and the service's webhook: one that was saved with another port moves here, with what it has not received yet. */
async function setUp(core: StripeCore, { stripeSecretKey, webhookSecrets }: Settings, url: string): Promise<void> {
  const stripe = coreStripeClient(core, stripeSecretKey)
  await seedCatalog(stripe, core.now())
  const { data: endpoints } = await stripe.webhookEndpoints.list()
  const ours = endpoints.find((endpoint) => endpoint.description === WEBHOOK_DESCRIPTION)
  if (ours !== undefined && ours.url !== url) await stripe.webhookEndpoints.update(ours.id, { url })
  const [secret, previousSecret] = webhookSecrets
  const description = WEBHOOK_DESCRIPTION
  core.registerWebhookEndpoint({ url, secret, description, ...(previousSecret !== undefined && { previousSecret }) })
  // What was asked for so far is nobody's business who counts requests.
  core.control.clearRequests()
}

async function openClock(settings: Settings, apiBase: string): Promise<Pick<Gateway, 'clock' | 'clockUrl'>> {
  const clockUrl = settings.clockUrl ?? clockUrlOf(apiBase)
  const clock = clockUrl === undefined ? systemClock : createFollowedClock(clockUrl)
  await clock.sync()
  return { clock, clockUrl }
}
