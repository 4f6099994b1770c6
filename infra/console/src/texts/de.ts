import { activity } from './de/activity.ts'
import { app } from './de/app.ts'
import { cards } from './de/cards.ts'
import { details } from './de/details.ts'
import { invoices } from './de/invoices.ts'
import { orders } from './de/orders.ts'
import { organizations } from './de/organizations.ts'
import { overview } from './de/overview.ts'
import { problems } from './de/problems.ts'
import { products } from './de/products.ts'
import { session } from './de/session.ts'
import { ui } from './de/ui.ts'
import type { Texts } from './en.ts'

/** The console's texts in German: a key that is missing here does not compile. */
export const de: Texts = {
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
