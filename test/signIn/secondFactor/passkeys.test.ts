import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { textOf } from '../../oauth/authorize/page.ts'
import { queryOf, registerClient, registerUser, responseIn, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { race, racers } from '../../support/race.ts'
import { challengeOf } from '../authenticators/authenticatorTestBed.ts'
import { softwareAuthenticator } from '../authenticators/softwareAuthenticator.ts'
import { show, userWithTotp } from './people.ts'

const stack = useAccountsStack()
const place = { origin: ISSUER, rpId: new URL(ISSUER).hostname }
const optionsSchema = z.looseObject({
  challenge: z.string(),
  allowCredentials: z.array(z.looseObject({ id: z.string() })),
})

/** A user with a passkey, at the sign-in page of a first-party client. */
async function userWithPasskey(user = registerUser(stack())) {
  const { id, ...rest } = await user
  const deps = stack().authenticatorDeps
  const caller = { userId: id, securityRev: 0 }
  const authenticator = softwareAuthenticator(id, place)
  const challenge = challengeOf(await beginPasskeyRegistration(deps, caller))
  await finishPasskeyRegistration(deps, caller, { response: authenticator.register({ challenge }), name: 'Laptop' })
  const query = queryOf(await registerClient(stack(), { firstParty: true }))
  return { user: { id, ...rest }, authenticator, visitor: new Visitor(stack().baseUrl), query }
}

async function optionsFor(visitor: Visitor, purpose: 'sign_in' | 'second_factor') {
  const response = await fetch(`${stack().baseUrl}/api/auth/passkey/options`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...visitor.cookieHeader },
    body: JSON.stringify({ purpose }),
  })
  return { status: response.status, options: optionsSchema.parse(await response.json()) }
}

const signedInAs = (visitor: Visitor) =>
  stack().sessions.find(digestSecret((visitor.cookie ?? '').replace('__Host-session=', '')))

describe('A passkey as the only factor', () => {
  it('signs in without an address and a password, as two factors', async () => {
    const { user, authenticator, visitor, query } = await userWithPasskey()
    const page = await visitor.get(query)
    const { options } = await optionsFor(visitor, 'sign_in')
    const proof = JSON.stringify(authenticator.signIn({ challenge: options.challenge }))
    const answer = await visitor.submit(query, page, 'passkey', { fields: { proof } })
    expect(answer).toMatchObject({ status: 303, location: `?${query}` })
    expect(await signedInAs(visitor)).toMatchObject({
      userId: user.id,
      authentication: { methods: ['swk', 'user', 'mfa'] },
    })
    expect(visitor.knownBrowser).toBeDefined()
    expect(responseIn(await visitor.get(query))).toMatchObject({ code: expect.any(String) })
  })

  // [catch submitSignIn.orRefused] [threat 98]
  it('is refused with a notice where the response is none, of another challenge, origin or user', async () => {
    const { authenticator, visitor, query } = await userWithPasskey()
    const { options } = await optionsFor(visitor, 'sign_in')
    const { challenge } = options
    const stranger = softwareAuthenticator((await registerUser(stack())).id, place)
    const proofs = [
      '',
      'no JSON',
      '{}',
      JSON.stringify(authenticator.signIn({ challenge: 'x'.repeat(43) })),
      JSON.stringify(authenticator.signIn({ challenge, origin: 'https://evil.example.com' })),
      JSON.stringify(authenticator.signIn({ challenge, userVerified: false })),
      JSON.stringify(stranger.signIn({ challenge })),
    ]
    for (const proof of proofs) {
      const answer = await visitor.submit(query, await visitor.get(query), 'passkey', { fields: { proof } })
      expect(answer.status).toBe(400)
      expect(textOf(answer.body)).toMatch(/^Sign in .* This passkey could not be used/)
      expect(await signedInAs(visitor)).toBeUndefined()
    }
  })

  // [threat 97]
  it('signs in once a challenge, also many times at once', async () => {
    const { authenticator, visitor, query, user } = await userWithPasskey()
    const page = await visitor.get(query)
    const { options } = await optionsFor(visitor, 'sign_in')
    const proof = JSON.stringify(authenticator.signIn({ challenge: options.challenge }))
    const cookie = visitor.cookie
    const answers = await race(() => {
      const one = new Visitor(stack().baseUrl)
      one.cookie = cookie
      return one.submit(query, page, 'passkey', { fields: { proof } })
    })
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      303,
      ...Array.from({ length: racers - 1 }, () => 400),
    ])
    const sessions = (await stack().stored()).filter(
      ({ pk, userId }) => String(pk).startsWith('SESSION#') && userId === user.id,
    )
    expect(sessions).toHaveLength(1)
  })
})

describe('A passkey as the second factor', () => {
  it('signs in after the password', async () => {
    const { user, authenticator, visitor, query } = await userWithPasskey()
    await signInAt(visitor, query, user.email)
    const page = await visitor.get(query)
    const { options } = await optionsFor(visitor, 'second_factor')
    expect(options.allowCredentials).toMatchObject([{ type: 'public-key' }])
    const proof = JSON.stringify(authenticator.signIn({ challenge: options.challenge, userVerified: false }))
    expect((await show({ visitor, query, page }, 'passkey', proof)).status).toBe(303)
    expect(await signedInAs(visitor)).toMatchObject({ authentication: { methods: ['pwd', 'swk', 'mfa'] } })
  })

  it('is one of several: TOTP and recovery codes are offered too', async () => {
    const { user, visitor, query } = await userWithPasskey(userWithTotp(stack()))
    await signInAt(visitor, query, user.email)
    const { body } = await visitor.get(query)
    expect(body).toMatch(/data-passkey="second_factor"[\s\S]*id="code"[\s\S]*<details[\s\S]*id="recovery-code"/)
  })

  // [threat 98]
  it('is refused for what was signed as the only factor, and the other way around', async () => {
    const { user, authenticator, visitor, query } = await userWithPasskey()
    const first = await optionsFor(visitor, 'sign_in')
    await signInAt(visitor, query, user.email)
    const page = await visitor.get(query)
    const only = JSON.stringify(authenticator.signIn({ challenge: first.options.challenge }))
    const answer = await show({ visitor, query, page }, 'passkey', only)
    expect(answer.status).toBe(400)
    expect(textOf(answer.body)).toMatch(/^Confirm .* This passkey could not be used/)
    const second = await optionsFor(visitor, 'second_factor')
    const proof = JSON.stringify(authenticator.signIn({ challenge: second.options.challenge }))
    expect((await visitor.submit(query, page, 'passkey', { fields: { proof } })).status).toBe(400)
    expect(await signedInAs(visitor)).toBeUndefined()
  })
})

describe('POST /api/auth/passkey/options', () => {
  // [threat 102]
  it('says of no account whether it exists or has passkeys: without a right password all options are alike', async () => {
    const { user, visitor, query } = await userWithPasskey()
    await signInAt(visitor, query, user.email, 'wrong')
    const answers = [
      await optionsFor(visitor, 'sign_in'),
      await optionsFor(visitor, 'second_factor'),
      await optionsFor(new Visitor(stack().baseUrl), 'second_factor'),
    ]
    for (const { status, options } of answers) {
      expect({ status, options: { ...options, challenge: '' } }).toEqual({
        status: 200,
        options: {
          challenge: '',
          timeout: 300_000,
          rpId: place.rpId,
          userVerification: 'required',
          allowCredentials: [],
        },
      })
    }
  })
})
