import { join } from 'node:path'
import { createFollowedClock } from '../../lib/adapters/clock/followedClock.ts'
import { systemClock } from '../../lib/adapters/clock/systemClock.ts'
import type { Clock } from '../../lib/core/clock.ts'
import { seedCatalog } from './seedCatalog.ts'
import { clockUrlOf, type Settings } from './settings.ts'
import { stripeClient } from './stripeClient.ts'
import { readSnapshot, saveSnapshots } from './stripeSnapshot.ts'
import type { Opened } from './trackOpened.ts'

/** Stripe as the stack uses it: a stand-in, or Stripe itself in test mode. */
export interface Gateway {
  readonly apiBase: string
  /** The clock of the stand-in, which is then the clock of the service; the system's clock with Stripe itself. */
  readonly clock: Clock
  readonly clockUrl: string | undefined
}

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
  await seedCatalog(stripeClient(apiBase, settings.stripeSecretKey), Math.floor(clock.now() / 1000))
  return { apiBase, clock, clockUrl }
}

async function startStandIn(settings: Settings, opened: Opened, { webhookUrl, dataDir }: Place): Promise<string> {
  const [secret, previousSecret] = settings.webhookSecrets
  const file = dataDir === undefined ? undefined : join(dataDir, 'stripe.json')
  const saved = file === undefined ? undefined : await readSnapshot(file)
  const { apiBase, core } = await opened.add(
    (await import('./stripe/startStripeServer.ts')).startStripeServer({
      secretKey: settings.stripeSecretKey,
      ...(saved !== undefined && { snapshot: JSON.parse(saved) }),
    }),
  )
  core.registerWebhookEndpoint({ url: webhookUrl, secret, ...(previousSecret !== undefined && { previousSecret }) })
  if (file !== undefined) opened.add(saveSnapshots(file, () => core.snapshot()))
  return apiBase
}

async function openClock(settings: Settings, apiBase: string): Promise<Pick<Gateway, 'clock' | 'clockUrl'>> {
  const clockUrl = settings.clockUrl ?? clockUrlOf(apiBase)
  const clock = clockUrl === undefined ? systemClock : createFollowedClock(clockUrl)
  await clock.sync()
  return { clock, clockUrl }
}
