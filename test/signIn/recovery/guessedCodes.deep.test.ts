import { describe, expect, it } from '@jest/globals'
import { submitSignIn } from '../../../lib/signIn/submitSignIn.ts'
import { noFactors, openBrowser } from './browser.ts'
import { createService, DAY, HOUR, type Service } from './service.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'the owner’s phrase of old'
const DAYS = 60
const BROWSERS = 15
const from = { knownBrowser: undefined, userAgent: 'Mozilla/5.0', language: 'en' as const }

/** What keeps the guesses few and the owner in, and what becomes of some days without it. */
const guards = {
  'an app is suspended after 100 failures in a row': 'guesses between two recovery codes',
  'browsers that know the account are counted apart': 'days on which the owner was not in',
  'a right code in a known browser forgives nothing elsewhere': 'guesses between two recovery codes',
  'a mail a day': 'mails',
} as const
type Guard = keyof typeof guards
const isGuard = (name: string): name is Guard => name in guards

function remove(guard: Guard | undefined, { deps }: Service): void {
  const { totpAuthenticators: totps, mailBudgets } = deps
  if (guard === 'an app is suspended after 100 failures in a row') {
    deps.totpAuthenticators = { ...totps, countTry: async () => 'counted' }
  }
  if (guard === 'browsers that know the account are counted apart') {
    const countTry: typeof totps.countTry = (userId, seen, counted) =>
      totps.countTry(userId, seen, { ...counted, from: 'pending' })
    deps.totpAuthenticators = { ...totps, countTry }
  }
  if (guard === 'a right code in a known browser forgives nothing elsewhere') {
    const takeStep: typeof totps.takeStep = async (userId, seen, taken) => {
      const outcome = await totps.takeStep(userId, seen, taken)
      if (outcome === 'taken') await totps.forgive(userId)
      return outcome
    }
    deps.totpAuthenticators = { ...totps, takeStep }
  }
  if (guard === 'a mail a day') deps.mailBudgets = { ...mailBudgets, spend: async () => 'spent' }
}

/** The right password in a new browser, and wrong codes until they are refused unread. Returns how many were read. */
async function guess({ deps }: Service): Promise<number> {
  const credentials = { email: EMAIL, password: PASSWORD, sourceIp: '203.0.113.66' }
  const secret = deps.ids.secret()
  const begun = await submitSignIn(
    deps,
    { secret, signedInFor: undefined },
    { action: 'login', ...credentials, ...from },
  )
  if (begun.step !== 'pending') return 0
  for (let read = 0; ; read += 1) {
    const form = { action: 'second_factor', factor: 'totp', proof: '000000', ...from } as const
    const { started } = begun.session
    const step = await submitSignIn(deps, { secret: started, signedInFor: undefined }, form)
    const code = step.step === 'second_factor' ? step.problem?.code : step.step
    if (code !== 'code_refused') return read
  }
}

async function play(days: number, without?: Guard) {
  const service = createService()
  await service.register(EMAIL, PASSWORD)
  const factors = noFactors()
  const known = openBrowser(service)
  await known.signIn(EMAIL, PASSWORD)
  await known.addTotp(factors)
  await known.makeCodes(factors)
  service.wait(DAY)
  remove(without, service)
  const figures = {
    guesses: 0,
    'guesses between two recovery codes': 0,
    'days on which the owner was not in': 0,
    'recovery codes refused': 0,
    mails: 0,
  }
  const before = service.mailsTo(EMAIL).length
  let inARow = 0
  for (let day = 0; day < days; day += 1) {
    for (let browser = 0; browser < BROWSERS; browser += 1) {
      const read = await guess(service)
      figures.guesses += read
      inARow += read
      service.wait((3 * HOUR) / BROWSERS)
    }
    figures['guesses between two recovery codes'] = Math.max(figures['guesses between two recovery codes'], inARow)
    const app = { ...noFactors(), secrets: factors.secrets }
    if ((await known.signIn(EMAIL, PASSWORD, app)) !== 'in') figures['days on which the owner was not in'] += 1
    // On a new device, whatever the attacker does at that time.
    if (day % 7 === 3) {
      const codes = { ...noFactors(), codes: factors.codes }
      const isIn = (await openBrowser(service).signIn(EMAIL, PASSWORD, codes)) === 'in'
      if (!isIn) figures['recovery codes refused'] += 1
      inARow = 0
    }
    service.wait(21 * HOUR)
  }
  const subject = 'Someone knows your password and failed the second step'
  const mails = service.mailsTo(EMAIL).slice(before)
  figures.mails = mails.filter(({ mail }) => mail.subject === subject).length
  return figures
}

const most: Readonly<Partial<Record<string, number>>> = {
  'guesses between two recovery codes': 100,
  'days on which the owner was not in': 0,
  'recovery codes refused': 0,
}
const broken = (figures: Record<string, number>, days: number) =>
  Object.entries(figures).flatMap(([name, figure]) =>
    figure > ((name === 'mails' ? days : most[name]) ?? Number.POSITIVE_INFINITY) ? [name] : [],
  )

describe('60 days of wrong codes by a person with the password, from 15 new browsers a day', () => {
  // [asvs 6.3.1] [threat 100]
  it('are 100 guesses for each time that another factor ends the suspension, and never keep the owner out', async () => {
    const figures = await play(DAYS)
    process.stdout.write(`guessed codes: ${JSON.stringify(figures)}\n`)
    expect(broken(figures, DAYS)).toEqual([])
    expect(figures.guesses).toBeLessThanOrEqual(1000)
    expect(figures.guesses).toBeGreaterThan(500)
    expect(figures.mails).toBeGreaterThan(50)
  })

  it.each(Object.keys(guards).filter(isGuard))('are noticed without its guard: %s', async (guard) => {
    // Ten days show it.
    expect(broken(await play(10, guard), 10)).toContain(guards[guard])
  })
})
