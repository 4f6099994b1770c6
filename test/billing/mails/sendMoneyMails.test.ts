import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Card } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { type SendMoneyMailsDeps, sendMoneyMails } from '../../../lib/billing/mails/sendMoneyMails.ts'
import { cardExpiringMail, type MoneyFact, type MoneyMail } from '../../../lib/billing/slot/moneyMail.ts'
import { emptySlot } from '../../../lib/billing/slot/slot.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { createInMemoryBillingRecords } from '../../proof/world/inMemoryBillingRecords.ts'
import { APPLICATION_URL, plainBranding } from '../../support/branding.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'
import { mailedMembers } from '../../support/mailedMembers.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { noon, ok, organizationId, soldPrice, unknown } from '../fixtures.ts'
import type { GatewayCalls } from '../gatewayCalls.ts'

const MINUTE = 60_000
const visa: Card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2026, isDefault: true }
const product = 'ota' as const
const bought: MoneyFact = { kind: 'bought', product, price: soldPrice }
const price = { id: 'price_1', gatewayProductId: 'prod_1', currency: 'usd' }
const offer = (name: string) =>
  ({ ...price, offer: { name, description: null, amount: 1, interval: 'month', intervalCount: 1 } }) as const

let now: number
let sent: Mail[]
let logged: string[]
let store: ReturnType<typeof createInMemoryBillingRecords>
let email: string | null
/** What SES says to the next mails; takes them if empty. */
let refusals: number
let cards: Card[]
let gateway: Partial<GatewayCalls>

beforeEach(async () => {
  now = noon * 1000
  sent = []
  logged = []
  email = null
  refusals = 0
  cards = [visa]
  store = createInMemoryBillingRecords()
  await store.createOrganization(organizationId, '2026-01-01T00:00:00Z')
  gateway = {
    fetchDetails: async () => ok({ name: 'Acme', email, address: null, taxId: null, currency: 'usd' }),
    prices: async () =>
      ok(
        new Map([
          ['base_ota', offer('Updates')],
          ['addon_monitoring', offer('Monitoring')],
        ]),
      ),
    listCards: async () => ok(cards),
    listOwnCards: async () => ok([{ subscriptionId: 'sub_1', paymentMethodId: null }]),
  }
})

function deps(change: Partial<SendMoneyMailsDeps> = {}): SendMoneyMailsDeps {
  const { gateways } = fakeBilling({ gateway })
  const log = (message: string, ..._fields: readonly unknown[]) => void logged.push(message)
  return {
    records: store,
    gateways,
    cipher: { encrypt: async () => 'cipher', decrypt: async () => 'cus_1' },
    clock: { now: () => now, sync: async () => {} },
    mails: store.mails,
    mailBudgets: createMailBudgetsInMemory(),
    ...mailedMembers,
    mailer: {
      async send(mail) {
        refusals -= 1
        if (refusals >= 0) throw new CommonError('service_unavailable', { message: 'SES did not take the mail' })
        sent.push(mail)
      },
    },
    logger: { info: log, warn: log, error: log },
    branding: plainBranding,
    setting: 'on',
    ...change,
  }
}

/** Stores mails with a write of a slot, as the money path does. */
async function storeFacts(...facts: MoneyFact[]): Promise<void> {
  const { slot } = await store.readSlot(organizationId, product)
  const mails = facts.map((fact, index): MoneyMail => ({ organizationId, id: `fact ${index}`, at: now, fact }))
  await store.commit({ next: { ...emptySlot(organizationId, product), rev: slot.rev + 1 }, mails })
}

const withCustomer = () => store.bindCustomer({ organizationId, customerRev: 0 }, { cipher: 'c', digest: 'd' })
const run = (change?: Partial<SendMoneyMailsDeps>) => sendMoneyMails(deps(change), now + MINUTE)
const left = () => store.save().mails.length

describe('Mails about money', () => {
  it('go to the owners, each in their language, if the organization has no billing address', async () => {
    await storeFacts(bought)
    expect(await run()).toEqual({ sent: 1, dropped: 0, failed: 0 })
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@example.com', 'Gekauft: Updates'],
      // Has not signed in yet: an owner's language.
      ['grace@example.com', 'Gekauft: Updates'],
    ])
    expect(sent[0]?.text).toContain('Updates: 49,00\u00a0$ pro Monat')
    expect(left()).toBe(0)
  })

  it.each([
    ['accounts@example.net', 'Gekauft: Updates'],
    ['BOB@example.com', 'Gekauft: Updates'],
    ['Ada@Example.com', 'Gekauft: Updates'],
  ])('go to the billing address alone: %s', async (address, subject) => {
    await withCustomer()
    email = address
    await storeFacts(bought)
    await run()
    expect(sent.map((mail) => [mail.to, mail.subject])).toEqual([[address, subject]])
  })

  it('are sent once: not by the next run, and not by two at a time', async () => {
    await withCustomer()
    email = 'accounts@example.net'
    await storeFacts(bought)
    const together = await Promise.all([run(), run()])
    expect(together.map((report) => report.sent).toSorted()).toEqual([0, 1])
    expect(await run()).toEqual({ sent: 0, dropped: 0, failed: 0 })
    expect(sent).toHaveLength(1)
  })

  it('of one kind are a single mail', async () => {
    await withCustomer()
    email = 'accounts@example.net'
    await storeFacts(bought, { kind: 'bought', product: 'monitoring' }, { kind: 'canceled', product, endsAt: noon })
    expect(await run()).toEqual({ sent: 3, dropped: 0, failed: 0 })
    expect(sent.map(({ subject }) => subject)).toEqual(['Gekauft: Updates und Monitoring', 'Gekündigt: Updates'])
    expect(sent[1]?.text).toContain('Updates: endet am 21. November 2026')
  })

  it('of invoices lead to the page of each', async () => {
    await withCustomer()
    email = 'grace@example.com'
    const invoices = ['https://pay.example.com/1', 'https://pay.example.com/2', null]
    await storeFacts(...invoices.map((page) => ({ kind: 'invoice_sent', product, page }) as const))
    await run()
    expect(sent.map(({ text }) => /https:\S+/.exec(text)?.[0])).toEqual([
      'https://pay.example.com/1',
      'https://pay.example.com/2',
      `${APPLICATION_URL}?organization_id=${organizationId}&page=invoices`,
    ])
  })

  it('about a failed payment say what is open, when it is tried again, and where to pay', async () => {
    await withCustomer()
    email = 'accounts@example.net'
    await storeFacts({ kind: 'payment_failed', product, charge: { amount: 4900, currency: 'usd', at: noon } })
    await run()
    const [mail] = sent
    expect(mail?.text).toContain('Updates: 49,00\u00a0$. Wir versuchen es am 21. November 2026 noch einmal.')
    expect(mail?.text).toContain(`${APPLICATION_URL}?organization_id=${organizationId}`)
  })

  describe('about cards that expire', () => {
    const storeExpiring = () =>
      store.passes.noteExpiringCard(organizationId, '2026-12', cardExpiringMail(organizationId, '2026-12', now))
    beforeEach(async () => {
      await withCustomer()
      email = 'accounts@example.net'
    })

    it('name brand, last digits and month, and lead to the cards', async () => {
      await storeExpiring()
      await run()
      expect(sent[0]?.subject).toBe('Ihre Karte läuft nächsten Monat ab')
      expect(sent[0]?.text).toContain('bis Ende Dezember 2026 gültig ist: Visa mit der Endung 4242.')
      expect(sent[0]?.text).toContain('&page=cards')
      expect(sent[0]?.text).not.toContain('pm_1')
    })

    it.each<[string, () => void]>([
      ['that were replaced', () => Object.assign(gateway, { listCards: async () => ok([{ ...visa, expYear: 2030 }]) })],
      ['that pay for nothing', () => Object.assign(gateway, { listOwnCards: async () => ok([]) })],
      [
        'beside the card that pays',
        () =>
          Object.assign(gateway, {
            listOwnCards: async () => ok([{ subscriptionId: 'sub_1', paymentMethodId: 'pm_2' }]),
          }),
      ],
    ])('are not sent of cards %s', async (_, change) => {
      change()
      await storeExpiring()
      await run()
      expect([sent, left()]).toEqual([[], 0])
    })
  })

  // [catch sendMoneyMails.sendOf]
  it('that are not accepted are tried again after a minute, five minutes and longer, and then dropped', async () => {
    await storeFacts(bought)
    const reports = []
    for (const minutes of [0, 1, 5, 30, 120, 360]) {
      now += minutes * MINUTE - 1
      if (minutes > 0) expect(await run()).toEqual({ sent: 0, dropped: 0, failed: 0 })
      now += 1
      refusals = 2
      reports.push(await run())
    }
    const failed = { sent: 0, dropped: 0, failed: 1 }
    expect(reports).toEqual([failed, failed, failed, failed, failed, { sent: 0, dropped: 1, failed: 0 }])
    expect([sent, left(), logged.filter((message) => message === 'Money mail dropped')]).toEqual([
      [],
      0,
      ['Money mail dropped'],
    ])
  })

  it('that were accepted for one owner are not sent again for the others', async () => {
    await storeFacts(bought)
    refusals = 1
    expect(await run()).toEqual({ sent: 1, dropped: 0, failed: 0 })
    expect([sent.length, left(), logged]).toEqual([1, 0, ['Mail not sent']])
  })

  it.each(['fetchDetails', 'prices'] as const)('wait while the gateway does not answer: %s', async (call) => {
    await withCustomer()
    email = 'accounts@example.net'
    const works = { ...gateway }
    Object.assign(gateway, { [call]: async () => unknown })
    await storeFacts(bought)
    expect(await run()).toEqual({ sent: 0, dropped: 0, failed: 1 })
    now += MINUTE
    gateway = works
    expect(await run()).toEqual({ sent: 1, dropped: 0, failed: 0 })
    expect(sent).toHaveLength(1)
  })

  it('whose customer was deleted at the gateway go to the owners', async () => {
    await withCustomer()
    Object.assign(gateway, { fetchDetails: async () => ({ kind: 'refused', reason: 'customer_missing' }) })
    await storeFacts(bought)
    await run()
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.com', 'grace@example.com'])
  })

  // [catch sendMoneyMails.forget]
  it('are not sent twice if the store fails after they were sent', async () => {
    await storeFacts(bought, { kind: 'bought', product: 'monitoring' }, { kind: 'canceled', product, endsAt: null })
    const remove = async (): Promise<never> => {
      throw new CommonError('service_unavailable')
    }
    expect(await run({ mails: { ...store.mails, remove } })).toEqual({ sent: 3, dropped: 0, failed: 0 })
    expect(sent).toHaveLength(4)
    now += 10 * MINUTE
    expect(await run()).toEqual({ sent: 0, dropped: 3, failed: 0 })
    expect([sent.length, left()]).toEqual([4, 0])
  })

  it('are not sent again because a later one is not accepted', async () => {
    await withCustomer()
    email = 'accounts@example.net'
    await storeFacts(bought, { kind: 'canceled', product, endsAt: null })
    const accepted: string[] = []
    const send = async ({ subject }: Mail) => {
      if (accepted.length > 0) throw new CommonError('service_unavailable')
      accepted.push(subject)
    }
    const remove = async (): Promise<never> => {
      throw new CommonError('service_unavailable')
    }
    expect(await run({ mailer: { send }, mails: { ...store.mails, remove } })).toEqual({
      sent: 1,
      dropped: 0,
      failed: 1,
    })
    now += MINUTE
    expect(await run()).toEqual({ sent: 1, dropped: 0, failed: 0 })
    expect([accepted, sent.map(({ subject }) => subject)]).toEqual([['Gekauft: Updates'], ['Gekündigt: Updates']])
  })

  // [catch sendMoneyMails.postpone]
  it('that were not sent and cannot be given back are dropped when their claim has ended', async () => {
    await storeFacts(bought)
    refusals = 2
    const release = async (): Promise<never> => {
      throw new CommonError('service_unavailable')
    }
    expect(await run({ mails: { ...store.mails, release } })).toEqual({ sent: 0, dropped: 0, failed: 1 })
    now += 10 * MINUTE
    expect(await run()).toEqual({ sent: 0, dropped: 1, failed: 0 })
    expect([sent, left()]).toEqual([[], 0])
  })

  it('are forgotten while the stage has them off, and those of an organization that is gone', async () => {
    await storeFacts(bought)
    expect(await run({ setting: 'off' })).toEqual({ sent: 0, dropped: 0, failed: 0 })
    expect([sent, left()]).toEqual([[], 0])
    await storeFacts(bought)
    await run({ records: { readAccount: async () => undefined } })
    expect([sent, left()]).toEqual([[], 0])
  })

  it('end for a while when an organization caused many of them', async () => {
    const budgets = createMailBudgetsInMemory()
    for (let times = 0; times < 21; times += 1) {
      await storeFacts(bought)
      await run({ mailBudgets: budgets })
    }
    expect([sent.length, left(), logged]).toEqual([40, 0, ['Mails to others not sent']])
  })
})
