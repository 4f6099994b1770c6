import * as z from 'zod/mini'
import { subscriptionStates } from '../../billing/gateway/subscription.ts'

/**
 * Stripe's status of a subscription. A first purchase that was not paid in time has ended; a status that Stripe adds later is
 * read as `paused`: it holds its slot and grants nothing.
 */
export const stripeStatusSchema = z.pipe(
  z.catch(z.enum([...subscriptionStates, 'incomplete_expired']), 'paused'),
  z.transform((status) => (status === 'incomplete_expired' ? 'canceled' : status)),
)
