import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createDomainChecks, createDomains } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { ids } from '../../../lib/adapters/random/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { type CheckDomainsDeps, checkDomains } from '../../../lib/organizations/domains/checkDomains.ts'
import { decideCheck } from '../../../lib/organizations/domains/decideCheck.ts'
import { proofNameOf } from '../../../lib/organizations/domains/domainName.ts'
import type { DomainChecks } from '../../../lib/organizations/domains/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { plainBranding } from '../../support/branding.ts'
import { mailedMembers } from '../../support/mailedMembers.ts'
import { companiesIn } from './companies.ts'
import { createFakeDns } from './fakeDns.ts'

const DAY = 24 * 60 * 60_000
const WEEK = 7 * DAY
const begin = Date.UTC(2026, 10, 28)

const { client, names } = await openDocuments()
const domains = createDomains(client, names)
const checks = createDomainChecks(client, names)
const company = companiesIn(client, names)
const dns = createFakeDns()

let now = begin
let sent: Mail[] = []
let logged: unknown[] = []
let mailFails = false
let one: Awaited<ReturnType<typeof company>>

const deps: CheckDomainsDeps = {
  ...mailedMembers,
  checks,
  lookUpTxt: dns.lookUpTxt,
  mailer: {
    async send(mail) {
      if (mailFails) throw new Error('SES: paused')
      sent.push(mail)
    },
  },
  branding: plainBranding,
  ids,
  clock: { now: () => now, sync: async () => {} },
  logger: { info: (...entry) => void logged.push(entry), error: (...entry) => void logged.push(entry) },
}
const run = (more: Partial<CheckDomainsDeps> = {}) => checkDomains({ ...deps, ...more }, now + DAY)
const found = (outcome: string, times = 1) => ({
  ...{ proven: 0, missing: 0, lost: 0, unanswered: 0, failed: 0 },
  ...(outcome !== '' && { [outcome]: times }),
})
const play = (values: readonly string[], fails = false) => dns.set(proofNameOf(one.domain.name), { values, fails })
const status = async () => (await domains.list(one.organizationId))[0]?.status
/** Runs each day, as the schedule does. Returns what the runs found, without those that found nothing to do. */
async function runFor(days: number): Promise<string[]> {
  const outcomes: string[] = []
  for (let day = 1; day <= days; day += 1) {
    now += DAY
    const report = await run()
    outcomes.push(...Object.entries(report).flatMap(([outcome, times]) => (times > 0 ? [`${day} ${outcome}`] : [])))
  }
  return outcomes
}

beforeEach(async () => {
  // What earlier cases left is due at another time.
  for (const due of await checks.listDue(Number.MAX_SAFE_INTEGER))
    await checks.postpone(due, { checkAt: Number.MAX_SAFE_INTEGER, failures: 0 })
  now = begin
  sent = []
  logged = []
  mailFails = false
  one = await company(`${randomUUID()}.example`)
  expect(await domains.verify(one.domain, now + WEEK, one.write())).toBe('written')
  play([one.domain.proof])
})

describe('The weekly check of a domain', () => {
  it('finds its record each week', async () => {
    expect(await runFor(22)).toEqual(['7 proven', '14 proven', '21 proven'])
    expect(sent).toEqual([])
  })

  it('mails each owner in their language when the record is missing, and loses the domain the third time in a row', async () => {
    play(['another'])
    expect(await runFor(13)).toEqual(['7 missing'])
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.com', 'grace@example.com'])
    expect(sent.map(({ text }) => text)).toEqual([
      expect.stringContaining('Fehlt er am 19. Dezember 2026'),
      expect.stringContaining('still missing on 19 December 2026'),
    ])
    expect(await runFor(1)).toEqual(['1 missing'])
    expect(sent).toHaveLength(4)
    expect(await status()).toBe('verified')
    expect(await runFor(7)).toEqual(['7 lost'])
    expect(sent.slice(4).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Ihre Organisation hat .* verloren$/),
      expect.stringMatching(/^Your organization has lost/),
    ])
    expect(await status()).toBe('lost')
    expect(await runFor(30)).toEqual([])
    const lost = { ...one.domain, status: 'lost' as const }
    expect(await domains.verify(lost, now + WEEK, one.write())).toBe('written')
  })

  it('forgets failures once the record is back', async () => {
    play([])
    expect(await runFor(14)).toEqual(['7 missing', '14 missing'])
    play([one.domain.proof])
    expect(await runFor(7)).toEqual(['7 proven'])
    play([])
    expect(await runFor(14)).toEqual(['7 missing', '14 missing'])
    expect(await status()).toBe('verified')
  })

  // [threat 93.10]
  it('does not count name servers that fail for less than a week, and asks them again each day', async () => {
    play([one.domain.proof], true)
    expect(await runFor(9)).toEqual(['7 unanswered', '8 unanswered', '9 unanswered'])
    play([one.domain.proof])
    expect(await runFor(1)).toEqual(['1 proven'])
    play([one.domain.proof], true)
    const outcomes = await runFor(13)
    expect(outcomes.at(-1)).toBe('13 unanswered')
    expect(sent).toEqual([])
    expect(await runFor(1)).toEqual(['1 missing'])
    expect(sent).toHaveLength(2)
    expect((await runFor(40)).at(-1)).toBe('28 lost')
  })

  // [threat 93.10]
  it('lets another organization verify a domain that is lost, and leaves it to it', async () => {
    const other = await company(one.domain.name)
    play([other.domain.proof])
    expect(await domains.verify(other.domain, now + WEEK, other.write())).toBe('taken')
    await runFor(21)
    expect(await domains.verify(other.domain, now + WEEK, other.write())).toBe('written')
    play([one.domain.proof])
    const lost = { ...one.domain, status: 'lost' as const }
    expect(await domains.verify(lost, now + WEEK, one.write())).toBe('taken')
  })

  // [catch checkDomains.checkDomains]
  it('is due again if no mail was accepted, and stops no other check', async () => {
    const other = await company(`${randomUUID()}.example`)
    await domains.verify(other.domain, now + WEEK, other.write())
    dns.set(proofNameOf(other.domain.name), { values: [other.domain.proof], fails: false })
    play([])
    mailFails = true
    now += WEEK
    expect(await run()).toEqual({ ...found('failed'), proven: 1 })
    expect(logged).toEqual([['Domain not checked', { organizationId: one.organizationId, reason: 'Error' }]])
    mailFails = false
    expect(await run()).toEqual(found('missing'))
    expect(await run()).toEqual(found(''))
  })

  it('counts once if two runs meet, and not if the domain was deleted or verified again meanwhile', async () => {
    play([])
    now += WEEK
    const both = await Promise.all([run(), run()])
    expect(both.map(({ missing }) => missing).toSorted()).toEqual([0, 1])
    now += WEEK
    const verifiedMeanwhile: DomainChecks = {
      ...checks,
      async postpone(due, next) {
        await domains.verify({ ...one.domain, status: 'verified' }, now + WEEK, one.write())
        return checks.postpone(due, next)
      },
    }
    expect(await run({ checks: verifiedMeanwhile })).toEqual(found(''))
    now += WEEK
    expect(await run()).toEqual(found('missing'))
    now += WEEK
    const deletedMeanwhile: DomainChecks = {
      ...checks,
      async find(due) {
        await domains.delete(one.verified, one.write())
        return checks.find(due)
      },
    }
    expect(await run({ checks: deletedMeanwhile })).toEqual(found(''))
  })

  it('leaves to the next run what it has no time for', async () => {
    now += WEEK
    expect(await checkDomains(deps, now)).toEqual(found(''))
    expect(await run()).toEqual(found('proven'))
  })
})

describe('The decision of a check', () => {
  it('keeps since when the name servers are silent', () => {
    const first = decideCheck({ failures: 1 }, 'no_answer', begin)
    expect(first).toEqual({
      kind: 'unanswered',
      next: { checkAt: begin + DAY, failures: 1, unansweredSince: begin },
    })
    const history = { failures: 1, unansweredSince: begin }
    expect(decideCheck(history, 'no_answer', begin + WEEK - 1)).toMatchObject({
      next: { checkAt: begin + WEEK - 1 + DAY, unansweredSince: begin },
    })
    expect(decideCheck(history, 'no_answer', begin + WEEK)).toEqual({
      kind: 'missing',
      next: { checkAt: begin + 2 * WEEK, failures: 2 },
      lostAt: begin + 2 * WEEK,
    })
    expect(decideCheck({ ...history, failures: 2 }, 'no_answer', begin + WEEK)).toEqual({ kind: 'lost' })
    expect(decideCheck({ ...history, failures: 2 }, 'proven', begin + WEEK)).toEqual({
      kind: 'proven',
      next: { checkAt: begin + 2 * WEEK, failures: 0 },
    })
  })
})
