import { describe, expect, it } from '@jest/globals'
import type { GatewaySubscription } from '../../../lib/billing/gateway/subscription.ts'
import { lastMonthOf } from '../../../lib/billing/slot/moneyMail.ts'
import type { Slot } from '../../../lib/billing/slot/slot.ts'
import { toFree, toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { declined, liveSlot, noon, pendingSlot, slot, soldPrice, subscription } from '../fixtures.ts'

const now = noon * 1000
const end = noon + 30 * 86_400
const DAY = 86_400

/** A slot whose subscription is recorded like this. */
function recorded(change: Partial<NonNullable<Slot['subscription']>>, gateway: 'card' | 'invoice' = 'card'): Slot {
  const own = liveSlot({ gateway, state: change.status ?? 'active' })
  return { ...own, ...(own.subscription && { subscription: { ...own.subscription, ...change } }) }
}

const facts = (before: Slot, latest: Partial<GatewaySubscription>) =>
  (toSubscription(before, subscription(latest), now).mails ?? []).map(({ fact }) => fact)

const bought = { kind: 'bought', product: 'ota', price: soldPrice }
const ended = { kind: 'canceled', product: 'ota', endsAt: null }
const sent = (page: string | null) => ({
  gateway: 'invoice' as const,
  payment: { kind: 'invoice_open' as const, hostedInvoiceUrl: page },
})

describe('The mails of a slot’s write', () => {
  it.each<[string, Slot, Partial<GatewaySubscription>, object[]]>([
    ['a purchase is mailed with its price', pendingSlot(), {}, [bought]],
    ['a purchase that waits for its buyer is not', pendingSlot(), { status: 'incomplete', wasPaid: false }, []],
    ['one that was authenticated is', recorded({ status: 'incomplete' }), {}, [bought]],
    ['a declined purchase is not', pendingSlot(), declined(), []],
    ['one that is found days later is no news', slot(), { createdAt: noon - 3 * DAY - 1 }, []],
    ['one that is settled days later is', pendingSlot(), { createdAt: noon - 3 * DAY - 1 }, [bought]],
    ['a renewal is not mailed', recorded({}), { currentPeriodEnd: end + 30 * DAY }, []],
    [
      'a scheduled end is mailed with its day',
      recorded({}),
      { cancelAt: end },
      [{ kind: 'canceled', product: 'ota', endsAt: end }],
    ],
    ['an end that a person moved is not', recorded({ cancelAt: end }), { cancelAt: end + DAY }, []],
    ['a cancellation that was taken back is not', recorded({ cancelAt: end }), {}, []],
    ['an end at once is mailed', recorded({}), { status: 'canceled', endedAt: noon }, [ended]],
    ['an end as scheduled is not', recorded({ cancelAt: noon }), { status: 'canceled', endedAt: noon }, []],
    ['an end before the scheduled one is', recorded({ cancelAt: end }), { status: 'canceled', endedAt: noon }, [ended]],
    ['an end of long ago is not', recorded({}), { status: 'canceled', endedAt: noon - 3 * DAY - 1 }, []],
    ['one that was paid and has ended is both', pendingSlot(), { status: 'canceled', endedAt: noon }, [bought, ended]],
    [
      'a renewal that a card did not pay is mailed with the next attempt',
      recorded({}),
      { status: 'past_due', nextCharge: { amount: 4900, at: noon + 3 * DAY } },
      [{ kind: 'payment_failed', product: 'ota', charge: { amount: 4900, currency: 'usd', at: noon + 3 * DAY } }],
    ],
    [
      'one without a further attempt is mailed without',
      recorded({}),
      { status: 'unpaid', nextCharge: null },
      [{ kind: 'payment_failed', product: 'ota' }],
    ],
    ['a renewal that is unpaid in the end was mailed', recorded({ status: 'past_due' }), { status: 'unpaid' }, []],
    [
      'an invoice that is overdue is none',
      recorded({ payment: 'invoice_open', hostedInvoiceUrl: 'https://pay.example.com/1' }, 'invoice'),
      { status: 'past_due', ...sent('https://pay.example.com/1') },
      [],
    ],
    [
      'an invoice that was sent is mailed with its page',
      recorded({}, 'invoice'),
      sent('https://pay.example.com/1'),
      [{ kind: 'invoice_sent', product: 'ota', page: 'https://pay.example.com/1' }],
    ],
    [
      'one that is known is not',
      recorded({ payment: 'invoice_open', hostedInvoiceUrl: 'https://pay.example.com/1' }, 'invoice'),
      sent('https://pay.example.com/1'),
      [],
    ],
    [
      'nor where its page shows later',
      recorded({ payment: 'invoice_open' }, 'invoice'),
      sent('https://x.example/1'),
      [],
    ],
    [
      'nor in a list, which shows no page',
      recorded({ payment: 'invoice_open', hostedInvoiceUrl: 'https://pay.example.com/1' }, 'invoice'),
      sent(null),
      [],
    ],
    [
      'the next one is',
      recorded({ payment: 'invoice_open', hostedInvoiceUrl: 'https://pay.example.com/1' }, 'invoice'),
      sent('https://pay.example.com/2'),
      [{ kind: 'invoice_sent', product: 'ota', page: 'https://pay.example.com/2' }],
    ],
  ])('%s', (_, before, latest, expected) => {
    expect(facts(before, latest)).toEqual(expected)
  })

  it('are named by their entry of the audit log', () => {
    const { mails = [], entries = [] } = toSubscription(pendingSlot(), subscription(), now)
    expect(mails.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
    expect(mails).toEqual([{ organizationId: pendingSlot().organizationId, id: entries[0]?.id, at: now, fact: bought }])
  })

  it('are none when a slot is given free', () => {
    expect(toFree(pendingSlot()).mails).toBeUndefined()
  })
})

describe('The month at whose end a card expires', () => {
  it('has two digits', () => {
    expect([lastMonthOf({ expMonth: 1, expYear: 2027 }), lastMonthOf({ expMonth: 12, expYear: 2027 })]).toEqual([
      '2027-01',
      '2027-12',
    ])
  })
})
