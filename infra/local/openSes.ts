import type { Clock } from '../../lib/core/clock.ts'
import { startSesServer } from '../emulators/ses/startSesServer.ts'
import type { Settings } from './settings.ts'
import type { Opened } from './resourceScope.ts'

/** The endpoint of SES: the one given, or a stand-in that keeps mails and dates them by the clock of the service. */
export async function openSes(settings: Settings, opened: Opened, clock: Clock): Promise<string> {
  if (settings.sesEndpoint !== undefined) return settings.sesEndpoint
  const { endpoint } = await opened.add(
    startSesServer({
      async now() {
        await clock.sync()
        return clock.now()
      },
    }),
  )
  return endpoint
}
