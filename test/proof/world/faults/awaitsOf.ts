import { awaitsByCard } from './awaitsByCard.ts'
import { awaitsByInvoice } from './awaitsByInvoice.ts'

/**
 * Every await of every story when nothing fails, in order. A new one fails the fault matrix until it is named here, and from
 * then on has its faults; so a round trip cannot be added unseen.
 */
export const awaitsOf: Readonly<Record<string, readonly string[]>> = { ...awaitsByCard, ...awaitsByInvoice }
