import * as z from 'zod/mini'

/**
 * How an organization pays: `card` at once with a card, `invoice` by bank transfer against an invoice. Stored with everything that a
 * gateway holds for the organization; `card` if nothing is stored.
 */
export const gatewayNameSchema = z.enum(['card', 'invoice'])
export type GatewayName = z.infer<typeof gatewayNameSchema>

/** Whether a gateway charges a card. If not, its customer has no card to change. */
export const chargesCards: Readonly<Record<GatewayName, boolean>> = { card: true, invoice: false }
