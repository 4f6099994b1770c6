import { formatDate, formatList, formatMoney, formatMonth } from '../../core/format.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { applicationLink } from '../../mail/applicationLink.ts'
import type { Mail } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import { type MailLook, renderMail } from '../../mail/renderMail.ts'
import { texts } from '../../texts/texts.ts'
import type { Product } from '../catalog.ts'
import type { Card } from '../gateway/gatewayPorts.ts'
import type { MoneyFact } from '../slot/moneyMail.ts'

type FactOf<Kind extends MoneyFact['kind']> = Extract<MoneyFact, { kind: Kind }>

/** Facts of one kind about products. */
type ProductFacts =
  | { readonly kind: 'bought'; readonly facts: readonly FactOf<'bought'>[] }
  | { readonly kind: 'canceled'; readonly facts: readonly FactOf<'canceled'>[] }
  | { readonly kind: 'payment_failed'; readonly facts: readonly FactOf<'payment_failed'>[] }
  | { readonly kind: 'invoice_sent'; readonly facts: readonly FactOf<'invoice_sent'>[] }

interface CardsExpiring {
  readonly kind: 'card_expiring'
  readonly month: string
  readonly cards: readonly Card[]
}

/** What goes into a single mail. */
export type MailedFacts = ProductFacts | CardsExpiring

interface About {
  readonly to: string
  readonly organization: { readonly id: OrganizationId; readonly name: string }
  readonly nameOf: (product: Product) => string
}

/** Writes a mail of money. It names products, amounts and, of a card, brand and last four digits. */
export function writeMoneyMail(look: MailLook, mailed: MailedFacts, about: About): Mail {
  const name = nameInMail(about.organization.name)
  if (mailed.kind === 'card_expiring') return expiryMail(look, mailed, about, name)
  const { subject, text, note } = texts[look.language].mails.money[mailed.kind]
  const names = [...new Set(mailed.facts.map(({ product }) => about.nameOf(product)))]
  return renderMail(look, {
    to: about.to,
    subject: subject(formatList(names, look.language)),
    paragraphs: [text(name), ...mailed.facts.map((fact) => lineOf(fact, about.nameOf(fact.product), look))],
    action: actionOf(look, mailed, about),
    notes: [note],
  })
}

function expiryMail(look: MailLook, { month, cards }: CardsExpiring, about: About, name: string): Mail {
  const { language } = look
  const { card, card_expiring: words } = texts[language].mails.money
  const shown = formatList(
    cards.map(({ brand, last4 }) => card(brandName(brand), last4)),
    language,
  )
  return renderMail(look, {
    to: about.to,
    subject: words.subject,
    paragraphs: [words.text(name, shown, formatMonth(month, language))],
    action: { label: words.action, link: applicationLink(look.branding, about.organization.id, 'cards') },
    notes: [words.note],
  })
}

/** Where the mail leads: to the gateway's page of an invoice, or to the application, which takes payments. */
function actionOf({ language, branding }: MailLook, mailed: ProductFacts, { organization }: About) {
  const { mails, next } = texts[language]
  if (mailed.kind === 'invoice_sent') {
    const link = mailed.facts[0]?.page ?? applicationLink(branding, organization.id, 'invoices')
    return { label: mails.money.invoice_sent.action, link }
  }
  const label =
    mailed.kind === 'payment_failed' ? mails.money.payment_failed.action : next.openApplication(branding.name)
  return { label, link: applicationLink(branding, organization.id) }
}

/** What happened to a product, in a line. */
function lineOf(fact: Exclude<MoneyFact, { kind: 'card_expiring' }>, product: string, { language }: MailLook): string {
  const { money } = texts[language].mails
  const day = (seconds: number) => formatDate(seconds * 1000, language)
  switch (fact.kind) {
    case 'bought': {
      if (!fact.price) return product
      const { amount, currency, interval, intervalCount } = fact.price
      return money.bought.line(product, formatMoney(amount, currency, language), money.every[interval](intervalCount))
    }
    case 'canceled':
      return fact.endsAt === null ? money.canceled.ended(product) : money.canceled.ends(product, day(fact.endsAt))
    case 'payment_failed': {
      if (!fact.charge) return product
      const { amount, currency, at } = fact.charge
      return money.payment_failed.line(product, formatMoney(amount, currency, language), day(at))
    }
    case 'invoice_sent':
      return product
  }
}

/** `visa` as people write it. */
function brandName(brand: string): string {
  return brand === 'amex' ? 'American Express' : brand.charAt(0).toUpperCase() + brand.slice(1)
}
