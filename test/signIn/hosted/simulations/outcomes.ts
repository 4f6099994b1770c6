import type { Guard } from './guards.ts'
import { office } from './office.ts'
import {
  beforeColleagues,
  currentPassword,
  exhaustedAddress,
  type Figures,
  knownForAnother,
  manyAccounts,
  manyNetworks,
  oneAccount,
  oneNetwork,
  ownAccounts,
  type Strategy,
  stolenCookie,
  strategies,
} from './strangers.ts'
import { HOUR, MINUTE } from './town.ts'

/** A simulation, and the most that each of its figures may be. */
export interface Simulation {
  readonly name: string
  readonly run: (without?: Guard) => Promise<Figures>
  readonly atMost: Figures
}

const isStrategy = (name: string): name is Strategy => name in strategies
const names = Object.keys(strategies).filter(isStrategy)

const ownerComesIn = {
  'refused from the known browser': 0,
  'refused after a reset': 0,
  'refused an hour after the last guess': 0,
}

/** What the policy promises, by what is done against it. */
export const simulations: readonly Simulation[] = [
  ...names.map((strategy) => ({
    name: `one account from many addresses, ${strategy}`,
    run: (without?: Guard) => oneAccount(strategy, without),
    atMost: { 'guesses in any day': 100, ...ownerComesIn },
  })),
  ...names.map((strategy) => ({
    name: `many accounts from one address, ${strategy}`,
    run: (without?: Guard) => manyAccounts(strategy, without),
    atMost: { 'guesses in any day': 300, 'owners refused elsewhere': 0 },
  })),
  {
    name: 'an address without room, at ten accounts',
    run: exhaustedAddress,
    atMost: { 'guesses in any day': 300, 'owners refused elsewhere': 0 },
  },
  { name: 'one address with twenty accounts of its own', run: ownAccounts, atMost: { 'guesses in any day': 300 } },
  // Ten for each of the twenty who sign in.
  { name: 'one address where others sign in too', run: beforeColleagues, atMost: { 'guesses in any day': 500 } },
  { name: 'addresses of one /64, at many accounts', run: oneNetwork, atMost: { 'guesses in any day': 300 } },
  {
    name: 'a /64 for each guess, at one account',
    run: manyNetworks,
    atMost: { 'guesses in any day': 100, 'refused from the known browser': 0 },
  },
  { name: 'a browser known for another account', run: knownForAnother, atMost: { 'guesses in any day': 100 } },
  {
    name: 'a thief with the cookie of a known browser',
    run: stolenCookie,
    atMost: { 'guesses in any day': 40, 'refused from the known browser': 0, 'refused after a reset': 0 },
  },
  {
    name: 'the current password, in a stolen session',
    run: currentPassword,
    atMost: { 'guesses in any day': 20, 'refused in the own session': 0 },
  },
  {
    name: 'a month of an office of 500',
    run: (without) => office({ days: 30, arrival: 2 * HOUR, keepsCookies: true }, without),
    atMost: { 'refused from known browsers': 0, 'refused from new browsers': 0 },
  },
  {
    name: 'a month of an office of 500 whose browsers keep no cookies',
    run: (without) => office({ days: 30, arrival: 2 * HOUR, keepsCookies: false }, without),
    atMost: { 'refused from new browsers': 0 },
  },
  {
    name: 'two weeks of an office of 500 who all come within five minutes, six times a day, without cookies',
    run: (without) => office({ days: 12, arrival: 5 * MINUTE, keepsCookies: false, timesADay: 6 }, without),
    atMost: { 'refused from new browsers': 0 },
  },
  {
    name: 'an office of 500 with a bot in its second week, and one new browser in fifty',
    run: async (without) => {
      const { 'refused from new browsers': fresh = 0, ...figures } = await office(
        { days: 14, arrival: 2 * HOUR, keepsCookies: true, newBrowsers: 0.02, bot: { perMinute: 2, fromDay: 7 } },
        without,
      )
      return { ...figures, 'new browsers that wait or reset': fresh }
    },
    atMost: { 'refused from known browsers': 0, 'refused after a reset': 0 },
  },
]

/** The figures that are more than they may be. */
export function broken(figures: Figures, atMost: Figures): string[] {
  return Object.entries(atMost).flatMap(([name, most]) => {
    const figure = figures[name]
    return figure === undefined || figure > most ? [`${name}: ${figure}, at most ${most}`] : []
  })
}
