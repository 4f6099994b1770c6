import { expect } from '@jest/globals'
import { approveFactorReset } from '../../../lib/authenticators/recovery/approveFactorReset.ts'
import { takeResetSteps } from '../../../lib/authenticators/recovery/takeResetSteps.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import { lostFactor } from '../../../lib/signIn/lostFactor.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { forgotPassword } from '../../../lib/users/password/resetPassword.ts'
import { noFactors, openBrowser } from './browser.ts'
import { followLink, linkIn } from './mailbox.ts'
import { createService, DAY, HOUR, type Service } from './service.ts'

export const EMAIL = 'owner@example.com'
const COLLEAGUE = 'colleague@example.com'
export const OLD = 'the owner’s phrase of old'
const NEW = 'the owner’s new phrase'
export const DAYS = 60

/** Who may have what the owner has lost. */
export const thieves = ['none', 'the password', 'a planted passkey'] as const

/** How two months begin. */
interface Story {
  /** What the thief of the password has: no mailbox, ever. */
  readonly thief: 'none' | 'the password' | 'a planted passkey'
  /** The day on which the owner finds out, counted from the theft. */
  readonly noticed: 0 | 3 | 20
  readonly first: 'owner' | 'thief'
  readonly organizations: 0 | 1 | 3
  readonly coOwner: 'none' | 'silent' | 'approves'
}

interface Outcome {
  /** Days from when the owner found out until the owner was in. */
  readonly back: number | undefined
  /** Whether the thief was in the account after that. */
  readonly isThiefIn: boolean
  readonly reminders: number
}

const lost = async ({ deps }: Service, browser: ReturnType<typeof openBrowser>, action: 'request' | 'complete') =>
  lostFactor(deps, { secret: browser.secret(), action, language: 'en' })

async function followNewest(service: Service, purpose: string, password: string): Promise<void> {
  const links = service.mailsTo(EMAIL).flatMap(({ mail }) => linkIn(mail) ?? [])
  const link = links.findLast((one) => one.purpose === purpose)
  if (link) await followLink(service, openBrowser(service), link, { password })
}

/** The thief does each day whatever could keep the owner out. */
export function thiefOf(service: Service, has: Story['thief']) {
  const factors = noFactors()
  const browser = openBrowser(service)
  return {
    async plant() {
      if (has !== 'a planted passkey') return
      await browser.signIn(EMAIL, OLD)
      await browser.addPasskey(factors)
    },
    async strike(): Promise<boolean> {
      if (has === 'none') return false
      const [passkey] = factors.passkeys
      const byPasskey = passkey !== undefined && (await browser.signInByPasskeyAlone(passkey)) === 'in'
      const isIn = byPasskey || (await browser.signIn(EMAIL, OLD, factors)) === 'in'
      if (isIn) {
        await browser.submit({ action: 'cancel_reset' })
        const account = await service.deps.accounts.findByEmail(emailKey(EMAIL))
        if (account) await service.deps.accounts.endGrants(account)
        return true
      }
      await lost(service, browser, 'request')
      await lost(service, browser, 'complete')
      return false
    },
  }
}

async function play(story: Story): Promise<Outcome> {
  const service = createService()
  const ownerId = await service.register(EMAIL, OLD)
  const colleagueId = await service.register(COLLEAGUE, 'the colleague’s own phrase')
  const organizations = Array.from({ length: story.organizations }, () =>
    story.coOwner === 'none' ? service.found(ownerId) : service.found(ownerId, colleagueId),
  )
  const device = noFactors()
  const home = openBrowser(service)
  const thief = thiefOf(service, story.thief)
  if (story.thief === 'a planted passkey') await thief.plant()
  else {
    await home.signIn(EMAIL, OLD)
    await home.addPasskey(device)
    service.wait(30 * DAY)
  }
  const colleague = openBrowser(service)
  const browser = openBrowser(service)
  let back: number | undefined
  let isThiefIn = false
  let hasAsked = false

  async function recover(): Promise<void> {
    if (!hasAsked) {
      await forgotPassword(service.deps, { email: EMAIL, sourceIp: '203.0.113.20', language: 'en' })
      await followNewest(service, 'reset_password', NEW)
    }
    // The phone is lost, or is the thief's.
    const step = await browser.signIn(EMAIL, NEW)
    if (step !== 'needs_factor') return
    if (!hasAsked) {
      await lost(service, browser, 'request')
      await followNewest(service, 'confirm_factor_reset', '')
      hasAsked = true
    } else await lost(service, browser, 'complete')
  }

  for (let hour = 0; hour < DAYS * 24; hour += 6) {
    const day = hour / 24
    // What the thief can do is done again each day.
    if (back !== undefined && day > story.noticed + back + 14) break
    const turns = {
      async owner() {
        if (day < story.noticed || back !== undefined) return
        await recover()
        if ((await browser.signIn(EMAIL, NEW)) === 'in') back = day - story.noticed
      },
      async thief() {
        if ((await thief.strike()) && back !== undefined) isThiefIn = true
      },
    }
    for (const who of story.first === 'owner' ? (['owner', 'thief'] as const) : (['thief', 'owner'] as const)) {
      await turns[who]()
    }
    if (story.coOwner === 'approves') await approveAll(service, colleague, { ownerId, organizations })
    service.wait(6 * HOUR)
    await takeResetSteps(service.deps, Number.POSITIVE_INFINITY)
  }
  const reminders = service.mailsTo(EMAIL).filter(({ mail }) => mail.subject === 'Your second factors will be removed')
  return { back, isThiefIn, reminders: reminders.length }
}

async function approveAll(
  { deps }: Service,
  colleague: ReturnType<typeof openBrowser>,
  { ownerId, organizations }: { ownerId: UserId; organizations: readonly OrganizationId[] },
): Promise<void> {
  await colleague.signIn(COLLEAGUE, 'the colleague’s own phrase')
  for (const organizationId of organizations) {
    const approve = (caller: Parameters<typeof approveFactorReset>[1]) =>
      approveFactorReset(deps, caller, { organizationId, userId: ownerId })
    await colleague.call({}, {}, approve)
  }
}

/** Every way in which two months begin. */
export const stories: Story[] = thieves.flatMap((thief) =>
  ([0, 3, 20] as const).flatMap((noticed) =>
    (['owner', 'thief'] as const).flatMap((first) =>
      ([0, 1, 3] as const).flatMap((organizations) =>
        (organizations === 0 ? (['none'] as const) : (['none', 'silent', 'approves'] as const)).map((coOwner) => ({
          ...{ thief, noticed, first, organizations, coOwner },
        })),
      ),
    ),
  ),
)

/** Plays stories, in each of which the owner must be back, and the thief out. */
export async function expectBack(stories: readonly Story[]): Promise<void> {
  for (const story of stories) {
    const { back, isThiefIn, reminders } = await play(story)
    const mayBeShorter = story.organizations === 1 && story.coOwner === 'approves'
    expect({ story, isBack: (back ?? 99) <= 7, isThiefIn }).toEqual({ story, isBack: true, isThiefIn: false })
    // What a thief has added in the last 14 days goes with the reset.
    if (story.thief === 'a planted passkey' && story.noticed < 14) continue
    expect({ story, back, reminders }).toEqual({
      ...{ story, back: mayBeShorter ? 1 : 7 },
      reminders: mayBeShorter ? 1 : 2,
    })
  }
}
