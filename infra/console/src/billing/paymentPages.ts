/** The pages about paying: a file of their own in the bundle. */
export { CardsPage } from './CardsPage.tsx'
export { DetailsPage } from './DetailsPage.tsx'
export { InvoicesPage } from './InvoicesPage.tsx'
