import { describe, expect, it } from '@jest/globals'
import { apiErrorOf } from '../../../infra/client/src/apiErrorOf.ts'
import { type AuthorizationServer, authorizationServer } from '../../../infra/client/src/authorizationServer.ts'
import { signInDevice } from '../../../infra/client/src/deviceSignIn.ts'
import { ConnectionError } from '../../../infra/client/src/errors.ts'
import type { DeviceCode } from '../../../infra/client/src/signInOptions.ts'
import { userOf } from '../../../infra/client/src/userOf.ts'
import { atDevicePage, registerDeviceClient } from '../../oauth/device/deviceVisits.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'

const refused = (code: string, status = 400) => apiErrorOf(new Response(null, { status }), { code, detail: code })
const tokens = { accessToken: 'token', expiresAt: 0 }

/** A server that answers polls in this order, and what was shown and waited for. */
function scripted(answers: readonly (Error | typeof tokens)[], expires_in = 900) {
  const begun = {
    device_code: 'device',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://a.example/device',
    expires_in,
  }
  const left = [...answers]
  const server: Pick<AuthorizationServer, 'beginDevice' | 'pollDevice'> = {
    beginDevice: async () => ({ ...begun, interval: 5 }),
    async pollDevice() {
      const answer = left.shift()
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error('polled too often')
      return answer
    },
  }
  const shown: DeviceCode[] = []
  const waited: number[] = []
  const signIn = () =>
    signInDevice(
      server,
      { onCode: (code) => void shown.push(code) },
      async (milliseconds) => void waited.push(milliseconds),
    )
  return { signIn, shown, waited }
}

describe('A device that signs in', () => {
  it('shows the code, waits between polls, longer if it is told so or gets no answer, and gets the tokens', async () => {
    const { signIn, shown, waited } = scripted([
      refused('authorization_pending'),
      refused('slow_down'),
      new ConnectionError('no answer'),
      refused('service_unavailable', 503),
      tokens,
    ])
    expect(await signIn()).toEqual(tokens)
    expect(waited).toEqual([5000, 5000, 10_000, 20_000, 40_000])
    expect(shown).toEqual([{ userCode: 'WDJB-MJHT', verificationUri: 'https://a.example/device', expiresIn: 900 }])
  })

  it.each(['access_denied', 'expired_token'])('ends with a SignInRefusedError at %s', async (code) => {
    const { signIn } = scripted([refused('authorization_pending'), refused(code)])
    await expect(signIn()).rejects.toMatchObject({ name: 'SignInRefusedError', code })
  })

  it('ends with the refusal at any other error, as when the answer with the tokens was lost', async () => {
    await expect(scripted([refused('invalid_grant')]).signIn()).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  it('ends by itself if the server answers no more', async () => {
    const { signIn, waited } = scripted([], 0)
    await expect(signIn()).rejects.toMatchObject({ code: 'expired_token' })
    expect(waited).toEqual([])
  })

  it('stops waiting at once when it is aborted', async () => {
    const server = scriptedForever()
    const abort = new AbortController()
    const signIn = signInDevice(server, { onCode: () => abort.abort(new Error('stopped')), signal: abort.signal })
    await expect(signIn).rejects.toThrow('stopped')
    const later = new AbortController()
    const waiting = signInDevice(server, { onCode: () => {}, signal: later.signal })
    setTimeout(() => later.abort(new Error('stopped later')), 10)
    await expect(waiting).rejects.toThrow('stopped later')
  })
})

function scriptedForever(): Pick<AuthorizationServer, 'beginDevice' | 'pollDevice'> {
  const begun = { device_code: 'device', user_code: 'A', verification_uri: 'https://a.example/', expires_in: 900 }
  return { beginDevice: async () => begun, pollDevice: () => Promise.reject(refused('authorization_pending')) }
}

describe('oauth4webapi at this service', () => {
  const stack = useAccountsStack()
  const serverOf = (clientId: string) =>
    authorizationServer({
      issuer: ISSUER,
      clientId,
      redirectUri: '',
      // The issuer's address, at the port where the stack listens.
      fetch: (input, init) => fetch(String(input).replace(ISSUER, stack().baseUrl), init),
    })

  it('signs in a device whose user types the code and allows it, and refreshes its tokens', async () => {
    const { clientId } = await registerDeviceClient(stack())
    const server = serverOf(clientId)
    const person = await atDevicePage(stack())
    let code = ''
    let pauses = 0
    const pause = async (milliseconds: number) => {
      stack().advance(milliseconds / 1000)
      pauses += 1
      if (pauses === 2) await person.answer(code, 'allow')
    }
    const onCode = ({ userCode }: DeviceCode) => {
      code = userCode
    }
    const signedIn = await signInDevice(server, { onCode, scope: 'profile' }, pause)
    expect(pauses).toBe(2)
    expect(userOf(signedIn).id).toBe(person.user.id)
    expect(userOf(await server.refresh(signedIn.refreshToken ?? '')).id).toBe(person.user.id)
  })

  it('is refused if the user denies it', async () => {
    const { clientId } = await registerDeviceClient(stack())
    const person = await atDevicePage(stack())
    const onCode = async ({ userCode }: DeviceCode) => void (await person.answer(userCode, 'deny'))
    await expect(signInDevice(serverOf(clientId), { onCode }, async () => {})).rejects.toMatchObject({
      name: 'SignInRefusedError',
      code: 'access_denied',
    })
  })
})
