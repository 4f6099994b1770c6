import { TOTP } from 'otpauth'
import { beginTotpEnrollment, confirmTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import { createRecoveryCodes } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { queryOf, registerClient, registerUser, signInAt } from '../../oauth/authorize/people.ts'
import { type Met, type Sending, Visitor } from '../../oauth/authorize/visitor.ts'
import type { AccountsStack } from '../../support/accountsStack.ts'

/** A user with TOTP and recovery codes, and what they make. */
export async function userWithTotp(stack: AccountsStack) {
  const user = await registerUser(stack)
  return { ...user, ...(await addTotp(stack, user.id)) }
}

/** Adds TOTP and recovery codes to a user. */
export async function addTotp(stack: AccountsStack, userId: UserId) {
  const deps = stack.authenticatorDeps
  const caller = { userId, securityRev: 0 }
  const { secret } = await beginTotpEnrollment(deps, caller)
  const code = () => new TOTP({ secret }).generate({ timestamp: stack.clock.now() })
  await confirmTotp(deps, caller, code())
  // The code that confirms signs in no more.
  stack.advance(60)
  return { code, recoveryCodes: await createRecoveryCodes(deps, caller) }
}

/** A visitor whose password was right, who is asked for a second factor; a new user where none is given. */
export async function pendingVisitor(stack: AccountsStack, known?: Awaited<ReturnType<typeof userWithTotp>>) {
  const user = known ?? (await userWithTotp(stack))
  const client = await registerClient(stack, { firstParty: true })
  const visitor = new Visitor(stack.baseUrl)
  const query = queryOf(client)
  const answer = await signInAt(visitor, query, user.email)
  const page = await visitor.get(query)
  return { user, client, visitor, query, answer, page }
}

/** Sends the form of a second factor. */
export function show(
  { visitor, query, page }: { visitor: Visitor; query: string; page: Met },
  factor: 'totp' | 'recovery_code' | 'passkey',
  proof: string,
  sending: Sending = {},
): Promise<Met> {
  return visitor.submit(query, page, 'second_factor', { ...sending, fields: { factor, proof, ...sending.fields } })
}
