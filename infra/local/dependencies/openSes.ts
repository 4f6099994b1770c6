import type { Clock } from '../../../lib/core/clock.ts'
import { startSesServer } from '../../emulators/ses/startSesServer.ts'
import type { ResourceScope } from '../resourceScope.ts'
import type { Settings } from '../settings.ts'

/** The endpoint of SES. Starts an emulator unless the settings name an endpoint. The emulator keeps mails and dates them by the service's clock. */
export async function openSes(settings: Settings, resources: ResourceScope, clock: Clock): Promise<string> {
  if (settings.sesEndpoint !== undefined) return settings.sesEndpoint
  const { endpoint } = await resources.add(
    startSesServer({
      async now() {
        await clock.sync()
        return clock.now()
      },
    }),
  )
  return endpoint
}
