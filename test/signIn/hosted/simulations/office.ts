import { createRandom } from '../../../proof/world/worldTime.ts'
import type { Guard } from './guards.ts'
import type { Figures } from './strangers.ts'
import { address, type Browser, createTown, DAY, HOUR, MINUTE, type Outcome } from './town.ts'

const PEOPLE = 500

/** What an office is like. */
export interface Office {
  readonly days: number
  /** Seconds from the first to the last one who comes in. */
  readonly arrival: number
  /** Whether browsers keep cookies: without, every browser is always new. */
  readonly keepsCookies: boolean
  /** How often everybody signs in on a working day, from 8 o'clock on, every two hours; once where left out. */
  readonly timesADay?: number
  /** The share of sign-ins that are in a new browser. */
  readonly newBrowsers?: number
  /** A bot at the same address, which guesses at the accounts of all, in turn. */
  readonly bot?: { readonly perMinute: number; readonly fromDay: number }
}

/** The times of all sign-ins of five days a week. */
function arrivals({ days, arrival, timesADay = 1 }: Office, random: () => number) {
  const working = Array.from({ length: days }, (_, day) => day).filter((day) => day % 7 < 5)
  const begins = working.flatMap((day) =>
    Array.from({ length: timesADay }, (_, index) => day * DAY + (8 + 2 * index) * HOUR),
  )
  return begins
    .flatMap((begin) => Array.from({ length: PEOPLE }, (_, person) => ({ person, time: begin + random() * arrival })))
    .toSorted((one, other) => one.time - other.time)
}

/** Five hundred people behind one address, of whom each mistypes one try in ten, and tries again until in or refused. Who is refused resets. */
export async function office(settings: Office, without?: Guard): Promise<Figures> {
  const { keepsCookies, newBrowsers = 0, bot } = settings
  const town = createTown(without)
  const random = createRandom(PEOPLE)
  const emails = Array.from({ length: PEOPLE }, (_, index) => town.settle(`person-${index}@example.com`).email)
  const newBrowser = (): Browser => ({ address: address(1), keepsCookies })
  const browsers = emails.map(newBrowser)
  const refused = { known: 0, fresh: 0, reset: 0 }
  let [tries, guesses, signIns] = [0, 0, 0]

  async function comeIn(person: number): Promise<void> {
    const email = emails[person] ?? ''
    const had = browsers[person]
    const browser = had === undefined || random() < newBrowsers ? newBrowser() : had
    browsers[person] = browser
    const which = browser.cookie === undefined ? 'fresh' : 'known'
    let outcome: Outcome = 'wrong'
    while (outcome === 'wrong') {
      tries += 1
      outcome = await town.attempt(email, random() < 0.1 ? 'mistyped' : 'right', browser)
    }
    if (outcome === 'in') signIns += 1
    else {
      refused[which] += 1
      await town.reset(email, browser)
      if ((await town.attempt(email, 'right', browser)) !== 'in') refused.reset += 1
    }
  }

  let botsTurn = bot === undefined ? Number.POSITIVE_INFINITY : bot.fromDay * DAY
  for (const { person, time } of arrivals(settings, random)) {
    for (; botsTurn < time; botsTurn += MINUTE / (bot?.perMinute ?? 1)) {
      town.waitUntil(botsTurn)
      const email = emails[Math.floor(random() * PEOPLE)] ?? ''
      if ((await town.attempt(email, 'guessed', { address: address(1) })) === 'wrong') guesses += 1
    }
    town.waitUntil(time)
    await comeIn(person)
  }
  return {
    tries,
    'sign-ins': signIns,
    'refused from known browsers': refused.known,
    'refused from new browsers': refused.fresh,
    'refused after a reset': refused.reset,
    ...(bot && { 'guesses of the bot': guesses }),
  }
}
