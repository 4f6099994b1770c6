import { type Clock, toRfc3339 } from '../../../lib/core/clock.ts'
import { html } from '../../../lib/core/html.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import type { WireRequest } from '../http/apiGatewayEvent.ts'
import type { LocalInfo } from '../info.ts'
import { fileControls } from './localPage.ts'

interface ClockDeps {
  readonly info: { readonly stripe: Pick<LocalInfo['stripe'], 'api_base'> }
  readonly clock: Clock
}

/** From here on an authenticator app shows codes that the service refuses. */
const AHEAD_SECONDS = 60

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `The local clock is 32 days ahead`; undefined if it shows real time. */
export function clockNotice(aheadSeconds: number): string | undefined {
  if (aheadSeconds < AHEAD_SECONDS) return undefined
  const [unit, seconds] = units.find(([, size]) => aheadSeconds >= size) ?? (['second', 1] as const)
  const count = Math.round(aheadSeconds / seconds)
  return `The local clock is ${count} ${unit}${count === 1 ? '' : 's'} ahead`
}

async function readAhead({ clock }: Pick<ClockDeps, 'clock'>): Promise<number> {
  await clock.sync()
  return Math.round((clock.now() - Date.now()) / 1000)
}

/**
 * `GET /_local/clock`: the time of the stack, and the notice to show; `POST /_local/clock/reset`: returns to real time, and keeps accounts and
 * purchases. The form of a hosted page comes back to it.
 */
export function clockControls(
  deps: ClockDeps,
): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  return {
    'GET /_local/clock': async () => {
      const ahead = await readAhead(deps)
      return json(200, { now: toRfc3339(deps.clock.now()), ahead_seconds: ahead, notice: clockNotice(ahead) ?? null })
    },
    'POST /_local/clock/reset': (request) => resetClock(deps, request),
    ...fileControls('/_local/pages/', import.meta.url, ['clock.js']),
  }
}

async function resetClock({ info, clock }: ClockDeps, { body }: WireRequest): Promise<WireAnswer> {
  const answer = await fetch(`${info.stripe.api_base}/_emulator/clock/reset`, { method: 'POST' }).catch(() => undefined)
  if (!answer?.ok) return json(409, { detail: `${info.stripe.api_base} has no clock to reset` })
  await clock.sync()
  const location = new URLSearchParams(Buffer.from(body).toString('utf8')).get('return_to')
  if (location === null || !/^\/(?![/\\])/.test(location)) return json(200, { now: toRfc3339(clock.now()) })
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: Buffer.alloc(0) }
}

/** The answer with a notice and a form that resets the clock, if it is a page and the clock is ahead. Never throws. */
export async function withClockNotice(
  deps: Pick<ClockDeps, 'clock'>,
  { url }: Pick<WireRequest, 'url'>,
  answer: WireAnswer,
): Promise<WireAnswer> {
  if (!String(answer.headers['content-type']).startsWith('text/html')) return answer
  const notice = clockNotice(await readAhead(deps).catch(() => 0))
  if (notice === undefined) return answer
  // Outside the page's own content, which stays as AWS serves it.
  const form = html`<aside><form class="notice bad" method="post" action="/_local/clock/reset">
<input type="hidden" name="return_to" value="${url}">
<p>${notice}.</p>
<button class="plain" type="submit">Reset it</button>
</form></aside>`
  const page = answer.body.toString('utf8').replace('</main>', () => `</main>\n${form.toString()}`)
  return { ...answer, body: Buffer.from(page) }
}

/** The console's page with the script that shows the notice there. */
export function withClockScript(page: Uint8Array): Buffer {
  const script = '<script src="/_local/pages/clock.js" defer></script>'
  return Buffer.from(Buffer.from(page).toString('utf8').replace('</body>', `${script}\n</body>`))
}
