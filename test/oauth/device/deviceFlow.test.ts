import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { DEVICE_CODE } from '../../../lib/oauth/oauthClient.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from '../authorize/page.ts'
import { refusal, requestToken, tokensIn } from '../token/tokenRequests.ts'
import { askForCodes, atDevicePage, codesAnswer, registerDeviceClient, startDevice } from './deviceVisits.ts'

const stack = useAccountsStack()

describe('POST /api/oauth/device_authorization', () => {
  it.each(['form', 'json'] as const)('answers a device with two codes, as %s', async (as) => {
    const { clientId } = await registerDeviceClient(stack())
    const { status, headers, body } = await askForCodes(stack(), { client_id: clientId, scope: 'openid' }, as)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const codes = codesAnswer.parse(body)
    expect(codes).toMatchObject({ verification_uri: `${ISSUER}/api/device`, expires_in: 900, interval: 5 })
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    const stored = JSON.stringify(await stack().stored()) + stack().logged()
    for (const code of [codes.device_code, codes.user_code, codes.user_code.replace('-', '')])
      expect(stored).not.toContain(code)
  })

  it('refuses unknown clients, clients that are not for devices, and scopes that a client may not request', async () => {
    const browser = await registerDeviceClient(stack(), { grantTypes: ['authorization_code', 'refresh_token'] })
    const off = await registerDeviceClient(stack(), { disabled: true })
    const { clientId } = await registerDeviceClient(stack(), { scopes: ['openid'] })
    const refused = async (fields: Record<string, string>, error: string) =>
      expect(await askForCodes(stack(), fields)).toMatchObject(refusal(error))
    await refused({ client_id: 'unknown' }, 'invalid_client')
    await refused({ client_id: off.clientId }, 'invalid_client')
    await refused({ client_id: browser.clientId }, 'unauthorized_client')
    await refused({ client_id: clientId, scope: 'openid email' }, 'invalid_scope')
    await refused({ client_id: clientId, scope: 'everything' }, 'invalid_scope')
    await refused({ scope: 'openid' }, 'invalid_request')
  })

  it('answers 503 if the store fails, and stores nothing', async () => {
    const { clientId } = await registerDeviceClient(stack())
    const before = (await stack().stored()).length
    stack().database.fail({ operation: 'TransactWriteItems', times: 10, kind: 'error' })
    expect((await askForCodes(stack(), { client_id: clientId })).status).toBe(503)
    expect((await stack().stored()).length).toBe(before)
  })
})

describe('A device whose user', () => {
  it('allows it gets tokens of that user, which it refreshes by itself', async () => {
    const client = await registerDeviceClient(stack())
    const device = await startDevice(stack(), client)
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
    const { user, type, answer } = await atDevicePage(stack())
    const asked = await type(device.user_code.toLowerCase().replace('-', ' '))
    expect(asked.status).toBe(200)
    expect(textOf(asked.body)).toContain(`The device shows the code ${device.user_code}`)
    expect(textOf(asked.body)).toContain('Command line')
    const done = await answer(device.user_code, 'allow')
    expect(textOf(done.body)).toContain('Your device is connected')
    const tokens = tokensIn(await device.poll())
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: user.id, aud: client.clientId, amr: ['pwd'] })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: user.id, client_id: client.clientId })
    const refresh = { client_id: client.clientId, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect(tokensIn(await requestToken(stack(), refresh)).refresh_token).not.toBe(tokens.refresh_token)
  })

  // [threat 115.12]
  it('denies it gets access_denied, also if another user types its code', async () => {
    const device = await startDevice(stack(), await registerDeviceClient(stack()))
    const [ada, eve] = [await atDevicePage(stack()), await atDevicePage(stack())]
    expect(textOf((await ada.answer(device.user_code, 'deny')).body)).toContain('gets no access')
    expect((await eve.type(device.user_code)).status).toBe(400)
    expect(await device.poll()).toMatchObject(refusal('access_denied'))
    expect(await device.poll()).toMatchObject(refusal('access_denied'))
  })

  // [asvs 10.4.3]
  it('does nothing gets expired_token after 15 minutes, and its code is no longer known', async () => {
    const device = await startDevice(stack(), await registerDeviceClient(stack()))
    stack().advance(device.expires_in - 1)
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
    stack().advance(1)
    expect(await device.poll()).toMatchObject(refusal('expired_token'))
    const { type } = await atDevicePage(stack())
    expect(textOf((await type(device.user_code)).body)).toContain('not valid, or no longer')
  })

  it('allows it too late for its last poll gets expired_token', async () => {
    const device = await startDevice(stack(), await registerDeviceClient(stack()))
    const { answer } = await atDevicePage(stack())
    await answer(device.user_code, 'allow')
    stack().advance(device.expires_in)
    expect(await device.poll()).toMatchObject(refusal('expired_token'))
  })

  it('withdraws the consent before the poll gets invalid_grant', async () => {
    const client = await registerDeviceClient(stack(), { firstParty: false })
    const device = await startDevice(stack(), client)
    const { user, answer } = await atDevicePage(stack())
    await answer(device.user_code, 'allow')
    await stack().consents.withdraw(user.id, client.clientId)
    expect(await device.poll()).toMatchObject(refusal('invalid_grant'))
  })
})

describe('A device that polls', () => {
  it('too early must wait 5 s longer from then on', async () => {
    const device = await startDevice(stack(), await registerDeviceClient(stack()))
    const polled: unknown[] = []
    for (const wait of [0, 5, 3, 10, 10, 10, 14]) {
      stack().advance(wait)
      polled.push((await device.poll()).body)
    }
    const [pending, slower] = [{ error: 'authorization_pending' }, { error: 'slow_down' }]
    expect(polled).toMatchObject([pending, pending, slower, pending, pending, pending, pending])
    stack().advance(8)
    expect(await device.poll()).toMatchObject(refusal('slow_down'))
    stack().advance(10)
    expect(await device.poll()).toMatchObject(refusal('slow_down'))
  })

  // [asvs 10.4.2] [threat 115.11]
  it('a second time with a code that gave tokens ends them', async () => {
    const client = await registerDeviceClient(stack())
    const device = await startDevice(stack(), client)
    const { answer } = await atDevicePage(stack())
    await answer(device.user_code, 'allow')
    const tokens = tokensIn(await device.poll())
    expect(await device.poll()).toMatchObject(refusal('invalid_grant'))
    const refresh = { client_id: client.clientId, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
  })

  // [threat 115.10]
  it('with a code of another client, or with none that there is, changes nothing', async () => {
    const [client, other] = [await registerDeviceClient(stack()), await registerDeviceClient(stack())]
    const device = await startDevice(stack(), client)
    const { answer } = await atDevicePage(stack())
    await answer(device.user_code, 'allow')
    const theirs = { ...device.request, client_id: other.clientId }
    expect(await requestToken(stack(), theirs)).toMatchObject(refusal('invalid_grant'))
    expect(await requestToken(stack(), { ...device.request, device_code: 'x' })).toMatchObject(refusal('invalid_grant'))
    const { device_code: _, ...none } = device.request
    expect(await requestToken(stack(), none)).toMatchObject(refusal('invalid_request'))
    tokensIn(await device.poll())
  })

  // [threat 115.11]
  it('gets no tokens for its code by the grant of browsers', async () => {
    const grantTypes = [DEVICE_CODE, 'authorization_code', 'refresh_token'] as const
    const client = await registerDeviceClient(stack(), { type: 'confidential', grantTypes })
    const secret = { client_secret: 'console-secret_4fJ8sKq2Lw9xTz7Rb1Vn' }
    const { body } = await askForCodes(stack(), { client_id: client.clientId, ...secret })
    const { user_code, device_code } = codesAnswer.parse(body)
    const { answer } = await atDevicePage(stack())
    await answer(user_code, 'allow')
    const asBrowser = { client_id: client.clientId, ...secret, grant_type: 'authorization_code', code: device_code }
    expect(await requestToken(stack(), asBrowser)).toMatchObject(refusal('invalid_grant'))
    const asDevice = { client_id: client.clientId, ...secret, grant_type: DEVICE_CODE, device_code }
    tokensIn(await requestToken(stack(), asDevice))
  })
})
