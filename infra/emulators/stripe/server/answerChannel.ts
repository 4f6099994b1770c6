import { channel } from 'node:diagnostics_channel'

/** Every API answer of every emulator in this process, as `{ method, path, status, body }`; checked against Stripe's OpenAPI file by tests. */
export const answerChannel = channel('stripe-emulator:answer')
