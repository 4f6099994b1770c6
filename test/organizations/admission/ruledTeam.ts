import * as z from 'zod'
import { createAuthorizationCodes } from '../../../lib/adapters/dynamodb/authorizationCodeStore.ts'
import { type Authentication, byPassword } from '../../../lib/core/authentication.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { type Person, peopleOf } from '../members/people.ts'

export const twoFactors = ['pwd', 'otp', 'mfa'] as const

const tokens = z.object({ access_token: z.string(), refresh_token: z.string().default('') })

/** Whoever calls with one token. */
export type Caller = Pick<Person, 'call'>

interface SignIn extends Partial<Omit<Authentication, 'at'>> {
  readonly secondsAgo?: number
  /** The demo's client if left out. */
  readonly client?: { client_id: string; client_secret: string }
  readonly scope?: string
}

/** Teams whose members sign in in any way, in a stack. */
export function ruledTeamsOf(bed: { readonly stack: BillingStack }) {
  const { team, setSecondFactor, callWith } = peopleOf(bed)

  /** The tokens of a sign-in. */
  async function tokensOf({ id }: Pick<Person, 'id'>, { secondsAgo = 0, client, scope = '', ...signIn }: SignIn = {}) {
    const { documents, emulator } = bed.stack
    const { tables, demo, base_url } = bed.stack.client.info
    const { client_id, client_secret } = client ?? demo
    const [code, now] = [crypto.randomUUID(), await emulator.now()]
    await createAuthorizationCodes(documents, tables.accounts).issue(digestSecret(code), {
      clientId: client_id,
      userId: id,
      securityRev: 0,
      authentication: { methods: byPassword, ...signIn, at: (now - secondsAgo) * 1000 },
      scope,
      redirectUri: demo.redirect_uri,
      validUntil: (now + 60) * 1000,
    })
    const form = { grant_type: 'authorization_code', code, redirect_uri: demo.redirect_uri }
    const answer = await fetch(`${base_url}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id, client_secret }),
    })
    const { access_token: token, refresh_token: refreshToken } = tokens.parse(await answer.json())
    return { token, refreshToken }
  }

  const withToken = (token: string): Caller => ({ call: callWith(token) })

  const signedIn = async (who: Pick<Person, 'id'>, signIn?: SignIn) => withToken((await tokensOf(who, signIn)).token)

  /** A team whose owner has a second factor and saved these rules with it. */
  async function ruledTeam(rules: Record<string, unknown>) {
    const all = await team()
    await setSecondFactor(all.owner, true)
    const owner = await signedIn(all.owner, { methods: twoFactors })
    const saved = await owner.call('PATCH', `${all.path}/sign-in-rules`, rules)
    return { ...all, strongOwner: owner, saved, rulesPath: `${all.path}/sign-in-rules` }
  }

  return { setSecondFactor, tokensOf, signedIn, withToken, ruledTeam }
}
