import { describeSingles } from './describeSingles.ts'

// A purchase, a cancellation and an event; the deep tests play every operation.
describeSingles(
  /^(checkout of a returning buyer( by invoice)?|cancel now|webhooks of a subscription that the gateway ended)$/,
  12,
)
