import * as z from 'zod'
import type { Totp, TotpCipher, WebAuthn } from '../../../lib/authenticators/ports.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'

/** What a device of these stories answers: the real ceremonies are proven elsewhere, and cost milliseconds each. */
const response = z.object({ challenge: z.string(), credentialId: z.string(), userId: userIdSchema })
export type DeviceResponse = z.infer<typeof response>

const state = { counter: 0, backupEligible: true, backedUp: true, userVerified: true }

/** Takes what a device answers for the right challenge. */
export const webAuthn: WebAuthn = {
  registrationOptions: async ({ challenge }) => ({ challenge }),
  signInOptions: async ({ challenge, allowed }) => ({ challenge, allowed: allowed.map(({ id }) => id) }),
  read: (sent) => response.safeParse(sent).data,
  async verifyRegistration(sent, expected) {
    const { challenge, credentialId } = response.parse(sent)
    if (challenge !== expected.challenge) return undefined
    return { ...state, id: credentialId, publicKey: 'AAAA', transports: ['internal'] }
  },
  async verifySignIn(sent, { challenge, passkey }) {
    const given = response.parse(sent)
    return given.challenge === challenge && given.credentialId === passkey.id ? state : undefined
  },
}

const STEP_MS = 30_000

/** The code of a secret at a time. */
export const codeOf = (secret: string, now: number) => `${secret} ${Math.floor(now / STEP_MS)}`

export const totp: Totp = {
  secretOf: (random) => random,
  uriOf: (secret) => secret,
  stepOf: (secret, code, now) => (code === codeOf(secret, now) ? Math.floor(now / STEP_MS) : undefined),
}

export const totpCipher: TotpCipher = {
  encrypt: async (userId, secret) => `${userId} ${secret}`,
  decrypt: async (userId, cipher) => cipher.slice(userId.length + 1),
}
