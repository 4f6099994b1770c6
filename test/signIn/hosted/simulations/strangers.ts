import { createRandom } from '../../../proof/world/worldTime.ts'
import type { Guard } from './guards.ts'
import { address, type Browser, createTown, DAY, HOUR, MINUTE, mostInADay, type Outcome, type Town } from './town.ts'

/** How a simulation came out: figures by what they count. */
export type Figures = Readonly<Record<string, number>>

/** Guesses that were made, each at its time in seconds; refused ones are none. */
function guesser(town: Town) {
  const made: number[] = []
  return {
    made,
    async guess(email: string, from: string) {
      if ((await town.attempt(email, 'guessed', { address: from })) === 'wrong') made.push(town.time())
    },
  }
}

/** How an owner fares who tries with the right password, once each time. */
function owner() {
  const outcomes: Outcome[] = []
  return {
    outcomes,
    tries: () => outcomes.length,
    refused: () => outcomes.filter((outcome) => outcome !== 'in').length,
    longest: () => Math.max(0, ...outcomes.filter((outcome) => typeof outcome === 'number')),
  }
}

/** The times of a strategy's guesses, in seconds, over some days. */
export const strategies = {
  'every 20 seconds': (days: number) => every(20, days),
  'every 14 minutes': (days: number) => every(14 * MINUTE, days),
  'a burst at midnight': (days: number) =>
    Array.from({ length: days }, (_, day) => Array.from({ length: 600 }, (_, guess) => day * DAY + guess / 10)).flat(),
  'two bursts around midnight': (days: number) =>
    Array.from({ length: days }, (_, day) =>
      [-30, 30].flatMap((offset) => Array.from({ length: 300 }, (_, guess) => (day + 1) * DAY + offset + guess / 100)),
    ).flat(),
  'an hour on, an hour off': (days: number) => every(15, days).filter((time) => Math.floor(time / HOUR) % 2 === 0),
} as const
export type Strategy = keyof typeof strategies

function every(seconds: number, days: number): number[] {
  return Array.from({ length: Math.floor((days * DAY) / seconds) }, (_, index) => index * seconds)
}

/** One account, guessed at from so many addresses that none repeats. Its owner signs in each hour, from a known and from a new browser. */
export async function oneAccount(strategy: Strategy, without?: Guard): Promise<Figures> {
  const days = 4
  const town = createTown(without)
  const { email } = town.settle('owner@example.com')
  const home: Browser = { address: address(1) }
  await town.attempt(email, 'right', home)
  const { made, guess } = guesser(town)
  const [known, fresh] = [owner(), owner()]
  let hour = 1
  for (const [index, time] of strategies[strategy](days).entries()) {
    while (hour * HOUR <= time) {
      town.waitUntil(hour * HOUR)
      known.outcomes.push(await town.attempt(email, 'right', home))
      fresh.outcomes.push(await town.attempt(email, 'right', { address: address(2), keepsCookies: false }))
      hour += 1
    }
    town.waitUntil(time)
    await guess(email, address(1000 + index))
  }
  // A reset, in the midst of it, on a new machine.
  const reset: Browser = { address: address(3) }
  await town.reset(email, reset)
  const afterReset = await town.attempt(email, 'right', reset)
  town.waitUntil(town.time() + HOUR)
  const afterwards = await town.attempt(email, 'right', { address: address(4) })
  return {
    'guesses in any day': mostInADay(made),
    'refused from the known browser': known.refused(),
    'tries from the known browser': known.tries(),
    'refused from a new browser': fresh.refused(),
    'longest wait in seconds': fresh.longest(),
    'refused after a reset': afterReset === 'in' ? 0 : 1,
    'refused an hour after the last guess': afterwards === 'in' ? 0 : 1,
  }
}

/** Many accounts, one guess at each in turn, from one address; owners elsewhere, who signed in from nowhere before. */
export async function manyAccounts(strategy: Strategy, without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { made, guess } = guesser(town)
  const owners = owner()
  const accounts = 400
  for (let index = 0; index < accounts; index += 1) town.settle(`owner-${index}@example.com`)
  for (const [index, time] of strategies[strategy](3).entries()) {
    town.waitUntil(time)
    await guess(`owner-${index % accounts}@example.com`, address(1))
  }
  for (let index = 0; index < accounts; index += 1) {
    owners.outcomes.push(await town.attempt(`owner-${index}@example.com`, 'right', { address: address(5000 + index) }))
  }
  return { 'guesses in any day': mostInADay(made), 'owners refused elsewhere': owners.refused() }
}

/** An address without room goes on at ten accounts, six times a minute. */
export async function exhaustedAddress(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { made, guess } = guesser(town)
  for (let index = 0; index < 200; index += 1) await guess(`no-one-${index}@example.com`, address(1))
  const owners = owner()
  const emails = Array.from({ length: 10 }, (_, index) => town.settle(`owner-${index}@example.com`).email)
  for (const time of every(MINUTE, 0.25)) {
    town.waitUntil(time)
    for (const email of emails) await guess(email, address(1))
  }
  for (const [index, email] of emails.entries()) {
    owners.outcomes.push(await town.attempt(email, 'right', { address: address(100 + index) }))
  }
  return { 'guesses in any day': mostInADay(made), 'owners refused elsewhere': owners.refused() }
}

/** A guesser with twenty accounts of one's own at the same address, who fails at them and then succeeds, to be forgiven more than that. */
export async function ownAccounts(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { made, guess } = guesser(town)
  const own = Array.from({ length: 20 }, (_, index) => town.settle(`own-${index}@example.com`).email)
  const there = { address: address(1), keepsCookies: false }
  for (const time of every(10 * MINUTE, 3)) {
    town.waitUntil(time)
    const email = own[Math.floor(time / MINUTE) % own.length] ?? ''
    for (let failure = 0; failure < 5; failure += 1) await town.attempt(email, 'mistyped', there)
    await town.attempt(email, 'right', there)
    for (let victim = 0; victim < 5; victim += 1) await guess(`victim-${time}-${victim}@example.com`, address(1))
  }
  return { 'guesses in any day': mostInADay(made) }
}

/**
 * A bot that guesses at the account of the one of twenty colleagues at its address who signs in next, in a new browser, so that this one's
 * success forgives it as much as possible.
 */
export async function beforeColleagues(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const colleagues = Array.from({ length: 20 }, (_, index) => town.settle(`colleague-${index}@example.com`).email)
  const { made, guess } = guesser(town)
  for (const [index, time] of every(DAY / colleagues.length, 3).entries()) {
    const email = colleagues[index % colleagues.length] ?? ''
    for (let second = 0; second < 45; second += 1) {
      town.waitUntil(time + second)
      await guess(email, address(1))
    }
    await town.attempt(email, 'right', { address: address(1), keepsCookies: false })
  }
  return { 'guesses in any day': mostInADay(made) }
}

/** IPv6: a new address for each guess, of one /64, at ever new accounts. */
export async function oneNetwork(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { made, guess } = guesser(town)
  const random = createRandom(64)
  const group = () => Math.floor(random() * 65536).toString(16)
  for (const time of every(30, 2)) {
    town.waitUntil(time)
    await guess(`owner-${time}@example.com`, `2001:db8:1:2:${group()}:${group()}:${group()}:${group()}`)
  }
  return { 'guesses in any day': mostInADay(made) }
}

/** IPv6: a new /64 for each guess at one account, as who has a /48 can; its owner in a known browser. */
export async function manyNetworks(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { email } = town.settle('owner@example.com')
  const home: Browser = { address: '2001:db8:aaaa:1::1' }
  await town.attempt(email, 'right', home)
  const { made, guess } = guesser(town)
  const known = owner()
  for (const [index, time] of every(30, 2).entries()) {
    town.waitUntil(time)
    await guess(email, `2001:db8:1:${index.toString(16)}::1`)
    if (time % HOUR === 0) known.outcomes.push(await town.attempt(email, 'right', home))
  }
  return { 'guesses in any day': mostInADay(made), 'refused from the known browser': known.refused() }
}

/** A browser that is known for the guesser's own account, at someone else's. */
export async function knownForAnother(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { email } = town.settle('owner@example.com')
  const own = town.settle('own@example.com').email
  const made: number[] = []
  const browser: Browser = { address: address(0) }
  await town.attempt(own, 'right', browser)
  for (const [index, time] of every(MINUTE, 2).entries()) {
    town.waitUntil(time)
    browser.address = address(1 + index)
    if ((await town.attempt(email, 'guessed', browser)) === 'wrong') made.push(time)
  }
  return { 'guesses in any day': mostInADay(made) }
}

/** A thief at a browser that the owner left, with its cookie. */
export async function stolenCookie(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { email } = town.settle('owner@example.com')
  const [browser, home]: Browser[] = [{ address: address(1) }, { address: address(2) }]
  if (browser === undefined || home === undefined) throw new Error('no browsers')
  await town.attempt(email, 'right', browser)
  await town.attempt(email, 'right', home)
  const made: number[] = []
  const owners = owner()
  for (const time of every(MINUTE, 2)) {
    town.waitUntil(time)
    if ((await town.attempt(email, 'guessed', browser)) === 'wrong') made.push(time)
    if (time % HOUR === 0) owners.outcomes.push(await town.attempt(email, 'right', home))
  }
  await town.reset(email, browser)
  return {
    'guesses in any day': mostInADay(made),
    'refused from the known browser': owners.refused(),
    'refused after a reset': (await town.attempt(email, 'right', browser)) === 'in' ? 0 : 1,
  }
}

/** Strangers at an account, and a thief in a session of its owner, who changes the password in another. */
export async function currentPassword(without?: Guard): Promise<Figures> {
  const town = createTown(without)
  const { email, userId } = town.settle('owner@example.com')
  const { guess } = guesser(town)
  const made: number[] = []
  const owners = owner()
  for (const [index, time] of every(MINUTE, 2).entries()) {
    town.waitUntil(time)
    await guess(email, address(index))
    if ((await town.confirm({ userId, session: 'stolen' }, 'guessed')) === 'wrong') made.push(time)
    if (time % HOUR === 0) owners.outcomes.push(await town.confirm({ userId, session: 'own' }, 'right'))
  }
  return { 'guesses in any day': mostInADay(made), 'refused in the own session': owners.refused() }
}
