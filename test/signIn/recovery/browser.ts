import * as z from 'zod'
import type { SecurityForm, SecurityStep } from '../../../lib/authenticators/security/securityStep.ts'
import { submitSecurity } from '../../../lib/authenticators/security/submitSecurity.ts'
import { ServiceError } from '../../../lib/core/errors.ts'
import type { Identity } from '../../../lib/core/identity.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import type { Contract } from '../../../lib/http/contract.ts'
import { callerOf } from '../../../lib/http/security/authenticate.ts'
import { type LiveSession, readSession, strengthenSession } from '../../../lib/oauth/session/session.ts'
import { askSignIn } from '../../../lib/signIn/askSignIn.ts'
import { beginPasskey } from '../../../lib/signIn/beginPasskey.ts'
import { continueAfterPassword } from '../../../lib/signIn/continueAfterPassword.ts'
import { type SignInForm, type SignInStep, submitSignIn } from '../../../lib/signIn/submitSignIn.ts'
import type { ProvenUser } from '../../../lib/users/ports.ts'
import { codeOf, type DeviceResponse } from './fakeCeremonies.ts'
import type { Service } from './service.ts'

/** What a person can show beside the password. */
export interface Factors {
  readonly passkeys: { readonly id: string; readonly userId: UserId }[]
  readonly secrets: string[]
  readonly codes: string[]
}

export const noFactors = (): Factors => ({ passkeys: [], secrets: [], codes: [] })

const challenged = z.object({ challenge: z.string(), allowed: z.array(z.string()).optional() })
type Step = 'in' | 'refused' | 'needs_factor'

/** A browser of a person: all that it has is its cookies, and the console's tokens. */
export function openBrowser(service: Service) {
  const { deps } = service
  const from = { userAgent: 'Mozilla/5.0', language: 'en' as const }
  const sourceIp = `198.51.100.${Math.floor(Math.random() * 250)}`
  let cookie = deps.ids.secret()
  let knownBrowser: string | undefined
  let tokens: Identity | undefined

  const session = (): Promise<LiveSession | undefined> => readSession(deps, cookie)

  async function keep(step: SignInStep): Promise<Step> {
    if (step.step === 'address' || step.step === 'password') return 'refused'
    if (step.step === 'second_factor') return 'needs_factor'
    cookie = step.session.started
    if (step.step === 'pending') return 'needs_factor'
    knownBrowser = step.session.knownBrowser?.value ?? knownBrowser
    const live = await session()
    tokens = live && identityOf(live, deps.ids.uuid())
    return live === undefined ? 'refused' : 'in'
  }

  const send = async (form: SignInForm) =>
    keep(await submitSignIn(deps, { secret: cookie, signedInFor: undefined }, form))

  async function submit(form: SecurityForm): Promise<SecurityStep | undefined> {
    const live = await session()
    if (live === undefined) return undefined
    const step = await submitSecurity(deps, { visitor: live, form, sourceIp, language: 'en' })
    if (step.step === 'done' && step.proven !== undefined) {
      cookie = (await strengthenSession(deps, live, { proven: step.proven, replaces: cookie })) ?? cookie
    }
    return step
  }

  const answerOf = (passkey: Factors['passkeys'][number], challenge: string): DeviceResponse => ({
    challenge,
    credentialId: passkey.id,
    userId: passkey.userId,
  })

  /** Shows a second factor until any is accepted. */
  async function showFactor(own: Factors): Promise<Step> {
    const asked = await askSignIn(deps, cookie)
    if (asked.step !== 'second_factor') return 'refused'
    for (const passkey of own.passkeys) {
      const options = challenged.parse(await beginPasskey(deps, { purpose: 'second_factor', secret: cookie }))
      if (!options.allowed?.includes(passkey.id)) continue
      const proof = JSON.stringify(answerOf(passkey, options.challenge))
      if ((await send({ action: 'second_factor', factor: 'passkey', proof, knownBrowser, ...from })) === 'in')
        return 'in'
    }
    for (const secret of asked.factors.includes('totp') ? own.secrets : []) {
      const proof = codeOf(secret, service.now())
      if ((await send({ action: 'second_factor', factor: 'totp', proof, knownBrowser, ...from })) === 'in') return 'in'
    }
    for (const proof of asked.factors.includes('recovery_code') ? own.codes.splice(0, 1) : []) {
      if ((await send({ action: 'second_factor', factor: 'recovery_code', proof, knownBrowser, ...from })) === 'in')
        return 'in'
    }
    return 'needs_factor'
  }

  return {
    session,
    /** Signs in after a link has set the password, as its page does. */
    async continueAfterReset(proven: ProvenUser): Promise<Step> {
      const origin = { ...from, cookie: proven.knownBrowser.value }
      const browser = { secret: cookie, signedInFor: undefined }
      return keep(await continueAfterPassword(deps, browser, { ...proven, at: service.now(), from: origin }))
    },
    /** The secret in its cookie. */
    secret: () => cookie,
    showFactor,
    async signIn(email: string, password: string, own: Factors = noFactors()): Promise<Step> {
      const step = await send({ action: 'login', email, password, sourceIp, knownBrowser, ...from })
      return step === 'needs_factor' ? showFactor(own) : step
    },
    async signInByPasskeyAlone(passkey: Factors['passkeys'][number]): Promise<Step> {
      const options = challenged.parse(await beginPasskey(deps, { purpose: 'sign_in', secret: cookie }))
      return send({
        action: 'passkey',
        proof: JSON.stringify(answerOf(passkey, options.challenge)),
        knownBrowser,
        ...from,
      })
    },
    /** Whether the session or the console's tokens are still good. */
    async isIn(): Promise<boolean> {
      if ((await session()) !== undefined) return true
      return tokens !== undefined && (await orCode(deps.accounts.findCaller(tokens))) !== 'invalid_token'
    },
    /** Calls an operation of the API as the console does: with the newest sign-in of this browser. */
    async call(contract: Pick<Contract, 'recentSignIn'>, body: unknown, run: (caller: Identity) => Promise<unknown>) {
      const live = await session()
      const identity = live ? identityOf(live, tokens?.familyId ?? deps.ids.uuid()) : tokens
      if (identity === undefined) return 'invalid_token'
      return orCode(
        (async () => {
          const caller = callerOf(contract, identity, body, service.now())
          if (!('userId' in caller)) throw new Error('no API client is in these stories')
          return run(caller)
        })(),
      )
    },
    /** Adds a passkey to the signed-in account; whether it was added. */
    async addPasskey(own: Factors): Promise<boolean> {
      const begun = await submit({ action: 'begin_passkey' })
      const live = await session()
      if (begun?.step !== 'new_passkey' || live === undefined) return false
      const passkey = { id: deps.ids.secret(), userId: live.user.id }
      const { challenge } = challenged.parse(begun.options)
      const response = JSON.stringify(answerOf(passkey, challenge))
      const made = await submit({ action: 'finish_passkey', name: 'Laptop', response })
      if (made?.step === 'done') own.passkeys.push(passkey)
      return made?.step === 'done'
    },
    async addTotp(own: Factors): Promise<boolean> {
      const begun = await submit({ action: 'begin_totp' })
      if (begun?.step !== 'new_totp') return false
      const made = await submit({ action: 'confirm_totp', code: codeOf(begun.secret, service.now()) })
      if (made?.step === 'done') own.secrets.push(begun.secret)
      return made?.step === 'done'
    },
    async makeCodes(own: Factors): Promise<boolean> {
      const made = await submit({ action: 'create_codes' })
      if (made?.step === 'new_codes') own.codes.splice(0, own.codes.length, ...made.codes)
      return made?.step === 'new_codes'
    },
    submit,
  }
}

export type Browser = ReturnType<typeof openBrowser>

function identityOf({ user, securityRev, authentication }: LiveSession, familyId: string): Identity {
  const client = { clientId: 'console', scope: '', isFirstParty: true }
  return { userId: user.id, securityRev, familyId, authentication, ...client }
}

/** The code of a refusal in place of what was asked for. */
export async function orCode(run: Promise<unknown>): Promise<string> {
  try {
    await run
    return 'done'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}
