import * as z from 'zod/mini'
import type { ClaimedResponse, Passkey, WebAuthn } from '../../authenticators/ports.ts'
import { userIdSchema } from '../../core/ids.ts'
import { loadedOnce } from '../../core/loadedOnce.ts'

/** The relying party that owns the passkeys. */
export interface RelyingParty {
  /** A domain: that of the origin, or a parent domain. */
  readonly id: string
  /** As the browser's prompt shows it. */
  readonly name: string
  /** Of the page that asks for passkeys. */
  readonly origin: string
}

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): every passkey supports at least one. */
const ALGORITHMS = [-8, -7, -257]

/** As long as a challenge is good. */
const PROMPT_MS = 5 * 60_000

/** Loaded at the first call, because few requests need it. */
const load = loadedOnce(() => import('@simplewebauthn/server'))

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
const listed = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ id, transports: [...transports] }))

/** `WebAuthn` by @simplewebauthn/server. Asks for no attestation: which make an authenticator is does not matter here. */
export function createWebAuthn({ id: rpID, name: rpName, origin }: RelyingParty): WebAuthn {
  const expectedParty = { expectedOrigin: origin, expectedRPID: rpID }
  return {
    async registrationOptions({ challenge, user, existing }) {
      const { generateRegistrationOptions } = await load()
      const options = await generateRegistrationOptions({
        rpID,
        rpName,
        challenge: bytesOf(challenge),
        userID: userHandleOf(user.id),
        userName: user.email,
        userDisplayName: user.username,
        timeout: PROMPT_MS,
        attestationType: 'none',
        excludeCredentials: listed(existing),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      })
      return { ...options }
    },

    async signInOptions({ challenge, allowed, requireUserVerification }) {
      const { generateAuthenticationOptions } = await load()
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: PROMPT_MS,
        userVerification: requireUserVerification ? 'required' : 'preferred',
        allowCredentials: listed(allowed),
      })
      return { ...options }
    },

    read: readResponse,

    async verifyRegistration(received, { challenge }) {
      const { data: response } = registrationResponse.safeParse(received)
      if (response === undefined) return undefined
      const { verifyRegistrationResponse } = await load()
      const expected = { ...expectedParty, expectedChallenge: challenge, supportedAlgorithmIDs: ALGORITHMS }
      const result = await orUnverified(
        verifyRegistrationResponse({ response, ...expected, requireUserVerification: true }),
      )
      if (!result?.verified) return undefined
      const { credential, credentialBackedUp, credentialDeviceType, userVerified } = result.registrationInfo
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: response.response.transports,
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
        userVerified,
      }
    },

    async verifySignIn(received, { challenge, passkey, requireUserVerification }) {
      const { data: response } = authenticationResponse.safeParse(received)
      if (response === undefined || response.id !== passkey.id) return undefined
      const { verifyAuthenticationResponse } = await load()
      const credential = { id: passkey.id, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter }
      const expected = { ...expectedParty, expectedChallenge: challenge, credential, requireUserVerification }
      const result = await orUnverified(verifyAuthenticationResponse({ response, ...expected }))
      if (!result?.verified) return undefined
      const { newCounter, credentialBackedUp, credentialDeviceType, userVerified } = result.authenticationInfo
      return {
        counter: newCounter,
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
        userVerified,
      }
    },
  }
}

/** The library throws if a response does not verify. Its message quotes the response, so it is dropped. */
function orUnverified<Result>(verification: Promise<Result>): Promise<Result | undefined> {
  return verification.catch(() => undefined)
}

/** Far more than any browser sends. */
const base64url = z.string().check(z.maxLength(65_536), z.regex(/^[A-Za-z0-9_-]+$/))

const credential = z.object({
  id: base64url.check(z.maxLength(1_364)),
  rawId: base64url.check(z.maxLength(1_364)),
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
})

/** The verified part of `RegistrationResponseJSON` (WebAuthn §5.1). */
const registrationResponse = z.extend(credential, {
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z._default(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16)), []),
  }),
})

/** The verified part of `AuthenticationResponseJSON` (WebAuthn §5.1). */
const authenticationResponse = z.extend(credential, {
  response: z.pipe(
    z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: z.nullish(base64url),
    }),
    z.transform(({ userHandle, ...response }) => ({ ...response, ...(userHandle && { userHandle }) })),
  ),
})

const claimed = z.extend(credential, {
  response: z.object({ clientDataJSON: base64url, userHandle: z.nullish(base64url) }),
})

const clientData = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text, { issues }) => {
      try {
        return JSON.parse(text)
      } catch {
        issues.push({ code: 'custom', input: text, message: 'not JSON' })
        return z.NEVER
      }
    }),
  ),
  z.object({ challenge: base64url }),
)

/** The claims of a response; undefined if it is none. Nothing is verified yet. */
function readResponse(received: unknown): ClaimedResponse | undefined {
  const { data } = claimed.safeParse(received)
  if (data === undefined) return undefined
  const { clientDataJSON, userHandle } = data.response
  const { data: client } = clientData.safeParse(Buffer.from(clientDataJSON, 'base64url').toString())
  if (client === undefined) return undefined
  const user = userHandle ? userIdSchema.safeParse(userIdOf(userHandle)) : undefined
  if (user?.success === false) return undefined
  return { challenge: client.challenge, credentialId: data.id, userId: user?.data }
}

/** The handle by which an authenticator knows a user: the user's id, which reveals nothing about the person (WebAuthn §14.6.1). */
function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(userId))
}

function userIdOf(userHandle: string): string {
  return Buffer.from(userHandle, 'base64url').toString()
}
