import { channel } from 'node:diagnostics_channel'

/** Every API answer of every stand-in of this process, as `{ method, path, status, body }`: for those who check them. */
export const answerChannel = channel('stripe-standin:answer')
