import * as z from 'zod/mini'
import type { ClaimedResponse } from '../../authenticators/ports.ts'
import { userIdSchema } from '../../core/ids.ts'

/** Far more than any browser sends. */
const base64url = z.string().check(z.maxLength(65_536), z.regex(/^[A-Za-z0-9_-]+$/))

const credential = z.object({
  id: base64url.check(z.maxLength(1_364)),
  rawId: base64url.check(z.maxLength(1_364)),
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
})

/** The verified part of `RegistrationResponseJSON` (WebAuthn §5.1). */
export const registrationResponse = z.extend(credential, {
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z._default(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16)), []),
  }),
})

/** The verified part of `AuthenticationResponseJSON` (WebAuthn §5.1). */
export const authenticationResponse = z.extend(credential, {
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
export function readResponse(received: unknown): ClaimedResponse | undefined {
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
export function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(userId))
}

function userIdOf(userHandle: string): string {
  return Buffer.from(userHandle, 'base64url').toString()
}
