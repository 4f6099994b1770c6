import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { Passkey } from '../../../lib/authenticators/ports.ts'
import { NOW, type Person, useAuthenticators } from './authenticatorTestBed.ts'

const bed = useAuthenticators()

/** What the user's item says, and whether that is so. */
async function marked(ada: Person): Promise<boolean> {
  const user = (await bed.stored(ada)).find((item) => 'hasSecondFactor' in item || 'securityRev' in item)
  const { passkeys, totp } = await bed.deps().authenticators.list(ada.userId)
  const isMarked = user?.hasSecondFactor === true
  expect({ isMarked }).toEqual({ isMarked: passkeys.length > 0 || totp !== undefined })
  return isMarked
}

async function addPasskey(ada: Person): Promise<string> {
  const { challenges, passkeys } = bed.deps()
  const [challenge, id] = [randomUUID(), randomUUID()]
  await challenges.issue(challenge, { purpose: 'registration', validUntil: NOW + 1000 })
  const flags = { backupEligible: true, backedUp: false, counter: 0, transports: ['usb'] }
  const passkey: Passkey = { id, name: 'Key', publicKey: 'AAAA', ...flags, createdAt: NOW, lastUsedAt: NOW }
  expect(await passkeys.add(ada, passkey, { challenge, now: NOW, limit: 10 })).toBe('added')
  return id
}

async function addTotp(ada: Person): Promise<void> {
  const { totpAuthenticators: totps } = bed.deps()
  const pending = { id: randomUUID(), cipher: 'cipher', validUntil: NOW + 1000 }
  await totps.begin(ada, pending)
  const totp = { cipher: 'cipher', lastStep: 1, createdAt: NOW, lastUsedAt: NOW }
  expect(await totps.confirm(ada, pending, totp)).toBe('confirmed')
}

const removePasskey = (ada: Person, id: string) => bed.deps().passkeys.remove(ada, id)
const removeTotp = (ada: Person) => bed.deps().totpAuthenticators.remove(ada)

describe('The mark of a second factor on the item of a user', () => {
  it('is there from the first passkey or TOTP to the last one', async () => {
    const ada = await bed.person()
    expect(await marked(ada)).toBe(false)
    const one = await addPasskey(ada)
    expect(await marked(ada)).toBe(true)
    const two = await addPasskey(ada)
    await addTotp(ada)
    await removePasskey(ada, one)
    await removeTotp(ada)
    expect(await marked(ada)).toBe(true)
    await addTotp(ada)
    await removePasskey(ada, two)
    expect(await marked(ada)).toBe(true)
    await removeTotp(ada)
    expect(await marked(ada)).toBe(false)
    await addTotp(ada)
    expect(await marked(ada)).toBe(true)
  })

  it('stays with a passkey when an operator removes the app, and ends without one', async () => {
    const [ada, bob] = [await bed.person(), await bed.person()]
    await addPasskey(ada)
    for (const one of [ada, bob]) {
      await addTotp(one)
      const [account, seen] = [
        await bed.deps().accounts.find(one.userId),
        await bed.deps().authenticators.list(one.userId),
      ]
      if (account === undefined) throw new Error('no account')
      const removed = { at: NOW, language: 'en', entries: [] } as const
      expect(await bed.operatedFactors().removeTotp(account, seen, removed)).toBe('changed')
    }
    expect([await marked(ada), await marked(bob)]).toEqual([true, false])
  })

  it('ends with the reset of everything', async () => {
    const ada = await bed.person()
    await addPasskey(ada)
    await addTotp(ada)
    const reset = { id: randomUUID(), requestedAt: NOW, credentialsRev: 0, language: 'en', effectiveAt: NOW } as const
    const seen = await bed.deps().authenticators.list(ada.userId)
    const account = await bed.deps().accounts.findCaller(ada)
    await bed.resets().request(ada.userId, reset, undefined)
    expect(await bed.resets().complete(account, reset, seen)).toBe(true)
    expect(await marked(ada)).toBe(false)
  })

  it('is not made by recovery codes, nor by an enrollment that is not confirmed', async () => {
    const ada = await bed.person()
    const { recoveryCodes, totpAuthenticators } = bed.deps()
    await totpAuthenticators.begin(ada, { id: randomUUID(), cipher: 'cipher', validUntil: NOW + 1000 })
    await recoveryCodes.replace(ada, ['one'], { createdAt: NOW })
    expect(await marked(ada)).toBe(false)
  })

  it.each([1, 2, 3])('is right after authenticators were added and removed at once (%d)', async () => {
    const ada = await bed.person()
    const ids = [await addPasskey(ada), await addPasskey(ada)]
    await addTotp(ada)
    await Promise.allSettled([
      removeTotp(ada),
      ...ids.map((id) => removePasskey(ada, id)),
      ...ids.map((id) => removePasskey(ada, id)),
    ])
    await marked(ada)
    await Promise.allSettled([removeTotp(ada), addPasskey(ada), ...ids.map((id) => removePasskey(ada, id))])
    await marked(ada)
  })

  it('is read again where another authenticator was removed since', async () => {
    const ada = await bed.person()
    const [one, two] = [await addPasskey(ada), await addPasskey(ada)]
    // Both read two passkeys; the second to write finds one, and has to note that none is left.
    expect(await Promise.all([removePasskey(ada, one), removePasskey(ada, two)])).toEqual(['removed', 'removed'])
    expect(await marked(ada)).toBe(false)
  })
})
