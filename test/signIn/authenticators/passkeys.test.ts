import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { removePasskey, renamePasskey } from '../../../lib/authenticators/factors/managePasskeys.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import {
  beginPasskeySignIn,
  type PasskeyFactor,
  verifyPasskeySignIn,
} from '../../../lib/authenticators/factors/signInWithPasskey.ts'
import { listAuthenticators, requiredSecondFactor } from '../../../lib/authenticators/listAuthenticators.ts'
import { challengeOf, type Person, place, registeredPasskey, useAuthenticators } from './authenticatorTestBed.ts'
import { type Ceremony, type SoftwareAuthenticator, softwareAuthenticator } from './softwareAuthenticator.ts'

const bed = useAuthenticators()
const ONLY: PasskeyFactor = { purpose: 'only_factor' }
const secondOf = ({ userId }: Person): PasskeyFactor => ({ purpose: 'second_factor', userId })
const MINUTE = 60_000
const refused = { code: 'passkey_refused' }

async function beginSignIn(factor = ONLY): Promise<string> {
  return challengeOf(await beginPasskeySignIn(bed.deps(), factor))
}

async function signIn(authenticator: SoftwareAuthenticator, ceremony: Omit<Ceremony, 'challenge'> = {}, factor = ONLY) {
  const challenge = await beginSignIn(factor)
  return verifyPasskeySignIn(bed.deps(), factor, authenticator.signIn({ challenge, ...ceremony }))
}

const withoutUser = [
  ['a user who was not verified', { userVerified: false }],
  ['a user who was not present', { userPresent: false }],
] satisfies [string, Omit<Ceremony, 'challenge'>][]

describe('Registering a passkey', () => {
  it('offers a discoverable credential that verifies its user, and none that the user has', async () => {
    const ada = await bed.person()
    const { id } = await registeredPasskey(bed.deps(), ada)
    const options = await beginPasskeyRegistration(bed.deps(), ada)
    expect(options).toMatchObject({
      rp: { id: place.rpId, name: 'Console' },
      user: { id: Buffer.from(ada.userId).toString('base64url'), name: ada.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id, transports: ['internal', 'hybrid'] }],
    })
    expect(challengeOf(options)).toMatch(/^[\w-]{43}$/)
  })

  it('stores it under its name, and makes a second factor required from then on', async () => {
    const ada = await bed.person()
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual([])
    const { id } = await registeredPasskey(bed.deps(), ada, { counter: 7 })
    const { passkeys } = await listAuthenticators(bed.deps(), ada)
    const now = bed.clock.now()
    expect(passkeys).toEqual([
      { id, name: 'Laptop', backupEligible: true, backedUp: true, createdAt: now, lastUsedAt: now },
    ])
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual(['passkey'])
  })

  it.each<[string, Omit<Ceremony, 'challenge'>]>([
    ['another origin', { origin: 'https://accounts.example.com.evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ...withoutUser,
    ['an assertion in its place', { type: 'webauthn.get' }],
  ])('refuses %s, and leaves the challenge for a right one', async (_, wrong) => {
    const ada = await bed.person()
    const authenticator = softwareAuthenticator(ada.userId, place)
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    const finish = (response: unknown) => finishPasskeyRegistration(bed.deps(), ada, { response, name: 'Phone' })
    await expect(finish(authenticator.register({ challenge, ...wrong }))).rejects.toMatchObject(refused)
    expect((await listAuthenticators(bed.deps(), ada)).passkeys).toEqual([])
    await expect(finish(authenticator.register({ challenge }))).resolves.toMatchObject({ name: 'Phone' })
  })

  it.each([
    ['nothing', undefined],
    ['no object', 'response'],
    ['no JSON in the client data', { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'AAAA' } }],
  ])('refuses %s', async (_, response) => {
    const ada = await bed.person()
    const finish = finishPasskeyRegistration(bed.deps(), ada, { response, name: 'Phone' })
    await expect(finish).rejects.toMatchObject(refused)
  })

  // [catch webAuthn.clientData]
  it('refuses client data that is no JSON', async () => {
    const ada = await bed.person()
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    const made = softwareAuthenticator(ada.userId, place).register({ challenge })
    const response = { ...made, response: { ...made.response, clientDataJSON: Buffer.from('{').toString('base64url') } }
    const finish = finishPasskeyRegistration(bed.deps(), ada, { response, name: 'Phone' })
    await expect(finish).rejects.toMatchObject(refused)
  })

  // [asvs 6.7.2]
  it('refuses a challenge of another user, of a sign-in, an expired one and one that was never issued', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    const finish = (challenge: string) => {
      const response = softwareAuthenticator(ada.userId, place).register({ challenge })
      return finishPasskeyRegistration(bed.deps(), ada, { response, name: 'Phone' })
    }
    await expect(finish(challengeOf(await beginPasskeyRegistration(bed.deps(), eve)))).rejects.toMatchObject(refused)
    await expect(finish(await beginSignIn())).rejects.toMatchObject(refused)
    await expect(finish(Buffer.alloc(32).toString('base64url'))).rejects.toMatchObject(refused)
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    bed.wait(5 * MINUTE)
    await expect(finish(challenge)).rejects.toMatchObject(refused)
  })

  it('refuses a credential that any account has', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    const authenticator = await registeredPasskey(bed.deps(), ada)
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), eve))
    const response = authenticator.register({ challenge })
    const finish = finishPasskeyRegistration(bed.deps(), eve, { response, name: 'Mine' })
    await expect(finish).rejects.toMatchObject({ code: 'passkey_already_registered' })
    await expect(signIn(authenticator)).resolves.toMatchObject({ user: { id: ada.userId } })
  })

  it('refuses an account whose address is not verified, and a grant that has ended', async () => {
    const stranger = await bed.person({ isVerified: false })
    const begin = beginPasskeyRegistration(bed.deps(), stranger)
    await expect(begin).rejects.toMatchObject({ code: 'email_not_verified' })
    const ada = await bed.person()
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    await bed.setAccount(ada, 'securityRev', 1)
    const response = softwareAuthenticator(ada.userId, place).register({ challenge })
    const finish = finishPasskeyRegistration(bed.deps(), ada, { response, name: 'Late' })
    await expect(finish).rejects.toMatchObject({ code: 'invalid_token' })
    expect((await bed.deps().authenticators.list(ada.userId)).passkeys).toEqual([])
  })

  it('takes ten a user and no more, also of 12 at once', async () => {
    const ada = await bed.person()
    const responses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
        return softwareAuthenticator(ada.userId, place).register({ challenge })
      }),
    )
    for (const response of responses.slice(0, 8)) {
      await finishPasskeyRegistration(bed.deps(), ada, { response, name: 'One' })
    }
    const finishes = responses
      .slice(8)
      .map((response) => finishPasskeyRegistration(bed.deps(), ada, { response, name: 'One' }))
    await Promise.allSettled(finishes)
    const { passkeys } = await listAuthenticators(bed.deps(), ada)
    expect(passkeys).toHaveLength(10)
    await expect(beginPasskeyRegistration(bed.deps(), ada)).rejects.toMatchObject({ code: 'too_many_passkeys' })
    await removePasskey(bed.deps(), ada, passkeys[0]?.id ?? '')
    await expect(beginPasskeyRegistration(bed.deps(), ada)).resolves.toBeDefined()
  })
})

describe('A passkey', () => {
  // [asvs 6.5.6]
  it('is renamed within 1 to 64 characters, and removed, by its user only', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    const authenticator = await registeredPasskey(bed.deps(), ada)
    const passkeyId = authenticator.id
    await renamePasskey(bed.deps(), ada, { passkeyId, name: '  Schlüssel 🔑 ' })
    expect((await listAuthenticators(bed.deps(), ada)).passkeys[0]?.name).toBe('Schlüssel 🔑')
    for (const name of ['', '   ', 'x'.repeat(65), 'two\nlines']) {
      const rename = renamePasskey(bed.deps(), ada, { passkeyId, name })
      await expect(rename).rejects.toMatchObject({ code: 'passkey_name_invalid' })
    }
    await renamePasskey(bed.deps(), ada, { passkeyId, name: '🔑'.repeat(64) })
    const notFound = { code: 'authenticator_not_found' }
    await expect(renamePasskey(bed.deps(), eve, { passkeyId, name: 'Mine' })).rejects.toMatchObject(notFound)
    await expect(removePasskey(bed.deps(), eve, passkeyId)).rejects.toMatchObject(notFound)
    await removePasskey(bed.deps(), ada, passkeyId)
    await expect(removePasskey(bed.deps(), ada, passkeyId)).rejects.toMatchObject(notFound)
    await expect(signIn(authenticator)).rejects.toMatchObject(refused)
    expect(await requiredSecondFactor(bed.deps(), ada.userId)).toEqual([])
  })
})

describe('Signing in with a passkey', () => {
  it('as the only factor finds the user by the credential, and proves possession and verification', async () => {
    const ada = await bed.person()
    const authenticator = await registeredPasskey(bed.deps(), ada)
    const options = await beginPasskeySignIn(bed.deps(), ONLY)
    expect(options).toMatchObject({ rpId: place.rpId, userVerification: 'required', allowCredentials: [] })
    bed.wait(MINUTE)
    await expect(signIn(authenticator, { backedUp: false })).resolves.toMatchObject({
      user: { id: ada.userId, email: ada.email, securityRev: 0 },
      proof: { kind: 'passkey', backupEligible: true, userVerified: true },
    })
    const { passkeys } = await listAuthenticators(bed.deps(), ada)
    expect(passkeys).toMatchObject([{ lastUsedAt: bed.clock.now(), backedUp: false }])
  })

  it('as the second factor takes one of the passkeys of the user, verified or not', async () => {
    const ada = await bed.person()
    const authenticator = await registeredPasskey(bed.deps(), ada, { backupEligible: false })
    const options = await beginPasskeySignIn(bed.deps(), secondOf(ada))
    expect(options).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ id: authenticator.id }] })
    const ceremony = { userVerified: false, backupEligible: false }
    await expect(signIn(authenticator, ceremony, secondOf(ada))).resolves.toMatchObject({
      user: { id: ada.userId },
      proof: { kind: 'passkey', backupEligible: false, userVerified: false },
    })
  })

  it('begins no second factor for a user without a passkey', async () => {
    const begin = beginPasskeySignIn(bed.deps(), secondOf(await bed.person()))
    await expect(begin).rejects.toMatchObject({ code: 'authenticator_not_found' })
  })

  // [catch webAuthn.orUnverified]
  it.each<[string, Omit<Ceremony, 'challenge'>]>([
    ['another origin', { origin: 'http://accounts.example.com' }],
    ['another relying party', { rpId: 'example.com' }],
    ...withoutUser,
    ['a registration in its place', { type: 'webauthn.create' }],
    ['another backup eligibility than it was registered with', { backupEligible: false }],
  ])('refuses %s', async (_, wrong) => {
    const authenticator = await registeredPasskey(bed.deps(), await bed.person())
    await expect(signIn(authenticator, wrong)).rejects.toMatchObject(refused)
    await expect(signIn(authenticator)).resolves.toBeDefined()
  })

  it('refuses a cloned counter, and takes one that grows', async () => {
    const authenticator = await registeredPasskey(bed.deps(), await bed.person(), { counter: 4 })
    await expect(signIn(authenticator, { counter: 6 })).resolves.toBeDefined()
    for (const counter of [0, 5, 6]) {
      await expect(signIn(authenticator, { counter })).rejects.toMatchObject(refused)
    }
    await expect(signIn(authenticator, { counter: 7 })).resolves.toBeDefined()
  })

  it('of two at once with one counter takes one', async () => {
    const authenticator = await registeredPasskey(bed.deps(), await bed.person(), { counter: 1 })
    const both = await Promise.allSettled([1, 2].map(() => signIn(authenticator, { counter: 2 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('refuses a replayed response, an expired challenge and a signature of another key', async () => {
    const ada = await bed.person()
    const authenticator = await registeredPasskey(bed.deps(), ada)
    const challenge = await beginSignIn()
    const response = authenticator.signIn({ challenge })
    await expect(verifyPasskeySignIn(bed.deps(), ONLY, response)).resolves.toBeDefined()
    await expect(verifyPasskeySignIn(bed.deps(), ONLY, response)).rejects.toMatchObject(refused)
    const forged = { ...softwareAuthenticator(ada.userId, place).signIn({ challenge: await beginSignIn() }) }
    const asHers = { ...forged, id: authenticator.id, rawId: authenticator.id }
    await expect(verifyPasskeySignIn(bed.deps(), ONLY, asHers)).rejects.toMatchObject(refused)
    const late = authenticator.signIn({ challenge: await beginSignIn() })
    bed.wait(5 * MINUTE)
    await expect(verifyPasskeySignIn(bed.deps(), ONLY, late)).rejects.toMatchObject(refused)
  })

  it('refuses a foreign credential, whatever user it names', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    await registeredPasskey(bed.deps(), ada)
    const hers = await registeredPasskey(bed.deps(), eve)
    for (const handle of [ada.userId, eve.userId, undefined]) {
      const challenge = await beginSignIn(secondOf(ada))
      const asSecond = verifyPasskeySignIn(bed.deps(), secondOf(ada), hers.signIn({ challenge }, handle))
      await expect(asSecond).rejects.toMatchObject(refused)
    }
    for (const handle of [ada.userId, randomUUID(), 'no id']) {
      const asOnly = verifyPasskeySignIn(bed.deps(), ONLY, hers.signIn({ challenge: await beginSignIn() }, handle))
      await expect(asOnly).rejects.toMatchObject(refused)
    }
    const named = hers.signIn({ challenge: await beginSignIn(secondOf(eve)) }, ada.userId)
    await expect(verifyPasskeySignIn(bed.deps(), secondOf(eve), named)).rejects.toMatchObject(refused)
    const unknown = softwareAuthenticator(ada.userId, place)
    await expect(signIn(unknown)).rejects.toMatchObject(refused)
  })

  it('refuses a challenge of another factor or another user, also signed by the right passkey', async () => {
    const [ada, eve] = [await bed.person(), await bed.person()]
    const [hers, his] = [await registeredPasskey(bed.deps(), ada), await registeredPasskey(bed.deps(), eve)]
    const ofSecond = hers.signIn({ challenge: await beginSignIn(secondOf(ada)), userVerified: false })
    await expect(verifyPasskeySignIn(bed.deps(), ONLY, ofSecond)).rejects.toMatchObject(refused)
    const ofOnly = hers.signIn({ challenge: await beginSignIn() })
    await expect(verifyPasskeySignIn(bed.deps(), secondOf(ada), ofOnly)).rejects.toMatchObject(refused)
    const ofRegistration = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    const asSecond = hers.signIn({ challenge: ofRegistration })
    await expect(verifyPasskeySignIn(bed.deps(), secondOf(ada), asSecond)).rejects.toMatchObject(refused)
    // Eve knows Ada's password, and answers the second step with a challenge and a passkey of the own account.
    const ofEve = his.signIn({ challenge: await beginSignIn(secondOf(eve)) })
    await expect(verifyPasskeySignIn(bed.deps(), secondOf(ada), ofEve)).rejects.toMatchObject(refused)
  })

  it('refuses an inactive account', async () => {
    const ada = await bed.person()
    const authenticator = await registeredPasskey(bed.deps(), ada)
    await bed.setAccount(ada, 'isActive', false)
    await expect(signIn(authenticator)).rejects.toMatchObject(refused)
  })
})
