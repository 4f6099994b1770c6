/** The pages about paying: a file of their own in the bundle. */
export { CardsPage } from './cards/CardsPage.tsx'
export { DetailsPage } from './details/DetailsPage.tsx'
export { InvoicesPage } from './invoices/InvoicesPage.tsx'
