import { activity } from './en/activity.ts'
import { app } from './en/app.ts'
import { cards } from './en/cards.ts'
import { details } from './en/details.ts'
import { invoices } from './en/invoices.ts'
import { orders } from './en/orders.ts'
import { organizations } from './en/organizations.ts'
import { overview } from './en/overview.ts'
import { problems } from './en/problems.ts'
import { products } from './en/products.ts'
import { session } from './en/session.ts'
import { ui } from './en/ui.ts'

/** The console's texts in English. */
export const en = {
  activity,
  app,
  cards,
  details,
  invoices,
  orders,
  organizations,
  overview,
  problems,
  products,
  session,
  ui,
}

/** The texts that each language must have. */
export type Texts = typeof en
