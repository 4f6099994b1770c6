import { channel } from 'node:diagnostics_channel'

/** Every API answer of every emulator of this process, as `{ method, path, status, body }`: for those who check them. */
export const answerChannel = channel('stripe-emulator:answer')
