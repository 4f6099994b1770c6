import { TOTP } from 'otpauth'
import * as z from 'zod'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { beginTotpEnrollment, confirmTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import { createRecoveryCodes } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import { type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { relyingPartyOf } from '../../../lib/core/relyingParty.ts'
import { createAuthenticatorDeps } from '../../../lib/runtime/authenticatorDeps.ts'
import { challengeOf } from '../authenticators/authenticatorTestBed.ts'
import { softwareAuthenticator } from '../authenticators/softwareAuthenticator.ts'

type AuthenticatorDeps = ReturnType<typeof createAuthenticatorDeps>

const region = 'us-east-1'

/** Does something with the authenticators of a new user of a local stack, whose password is `samplePassword`. */
async function withNewUser<Result>(
  client: LocalClient,
  act: (user: {
    userId: UserId
    email: string
    accessToken: string
    caller: Caller
    deps: AuthenticatorDeps
    now: number
  }) => Promise<Result>,
): Promise<Result> {
  const { info } = client
  const { email, accessToken } = await signUp(client)
  const { body } = await client.send({ method: 'GET', path: '/api/users/me', token: accessToken })
  const userId = userIdSchema.parse(z.object({ id: z.string() }).parse(body).id)
  const now = await nowOf(client)
  const documents = createDocumentClient({ endpoint: info.dynamodb_endpoint, region })
  const kms = createKmsClient({ endpoint: info.kms_endpoint, region })
  const deps = createAuthenticatorDeps({
    documents,
    table: info.tables.accounts,
    kms,
    keyId: info.kms.customer_key_id,
    relyingParty: { ...relyingPartyOf(info.base_url), name: 'Console' },
    clock: { now: () => now, sync: async () => {} },
  })
  try {
    const account = await deps.accounts.find(userId)
    const caller = { userId, securityRev: account?.securityRev ?? 0 }
    return await act({ userId, email, accessToken, caller, deps, now })
  } finally {
    documents.destroy()
    kms.destroy()
  }
}

/** A new user of a local stack with TOTP and recovery codes. */
export function enrollFactors(client: LocalClient) {
  return withNewUser(client, async ({ deps, caller, now, ...user }) => {
    const { secret } = await beginTotpEnrollment(deps, caller)
    // Of the step before, so that the one of now can still be used.
    await confirmTotp(deps, caller, new TOTP({ secret }).generate({ timestamp: now - 30_000 }))
    const recoveryCodes = await createRecoveryCodes(deps, caller)
    const code = async () => new TOTP({ secret }).generate({ timestamp: await nowOf(client) })
    return { ...user, secret, recoveryCodes, code }
  })
}

/** A new user of a local stack with a passkey, and the authenticator that has it. */
export function enrollPasskey(client: LocalClient) {
  return withNewUser(client, async ({ deps, caller, userId }) => {
    const { origin, id: rpId } = relyingPartyOf(client.info.base_url)
    const authenticator = softwareAuthenticator(userId, { origin, rpId })
    const challenge = challengeOf(await beginPasskeyRegistration(deps, caller))
    await finishPasskeyRegistration(deps, caller, { response: authenticator.register({ challenge }), name: 'Laptop' })
    return authenticator
  })
}

/** The stack's clock, in Unix milliseconds. */
export async function nowOf({ info }: LocalClient): Promise<number> {
  const answer = await fetch(`${info.stripe.api_base}/_emulator/clock`)
  return z.object({ now: z.number() }).parse(await answer.json()).now * 1000
}
