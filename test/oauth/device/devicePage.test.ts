import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { formFields, textOf } from '../authorize/page.ts'
import { registerUser } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { refusal, tokensIn } from '../token/tokenRequests.ts'
import { atDevicePage, registerDeviceClient, signedInAtDevicePage, startDevice } from './deviceVisits.ts'

const stack = useAccountsStack()
const startOne = async () => startDevice(stack(), await registerDeviceClient(stack()))
const ownNetwork = 'It asked from the network that you use now'

describe('The page of devices', () => {
  // [threat 115.5]
  it('asks for a sign-in first, in the language of the request, and takes no code from its address', async () => {
    const device = await startOne()
    const visitor = new Visitor(stack().baseUrl, '/api/device')
    const signIn = await visitor.get(`ui_locales=de&user_code=${device.user_code}`)
    expect(signIn.body).toContain('<html lang="de">')
    expect(signIn.body).toContain('name="password"')
    const { email } = await registerUser(stack())
    const { visitor: signedIn } = await signedInAtDevicePage(stack(), email)
    const page = await signedIn.get(`user_code=${device.user_code}`)
    expect((await signedIn.get(`ui_locales=${'de+'.repeat(40)}`)).status).toBe(400)
    const main = /<main>[\s\S]*<\/main>/.exec(page.body)?.[0] ?? ''
    expect(main).toContain('name="user_code"')
    expect(main.replaceAll(/action="[^"]*"/g, '')).not.toContain(device.user_code)
    expect(page.body).not.toContain('<script')
  })

  // [asvs 10.7.1 10.7.2] [threat 115.5]
  it('shows client, place and scopes, and does nothing before the user allows it', async () => {
    const client = await registerDeviceClient(stack(), { firstParty: false, name: 'Acme <CLI>' })
    const device = await startDevice(stack(), client, 'openid billing:read offline_access')
    const { user, type } = await atDevicePage(stack())
    stack().advance(130)
    const asked = await type(device.user_code)
    const said = textOf(asked.body)
    expect(asked.body).toContain('Acme &lt;CLI&gt;')
    for (const words of [ownNetwork, '2 minutes ago', user.email, 'see subscriptions, invoices', 'up to 30 days'])
      expect(said).toContain(words)
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
    expect(await stack().consents.find(user.id, client.clientId)).toBeUndefined()
  })

  // [threat 115.5]
  it('says so if the device asked from another network', async () => {
    const client = await registerDeviceClient(stack())
    const device = await startDevice(stack(), client)
    const { type } = await atDevicePage(stack())
    await stack().moveDevices('203.0.113.9')
    const said = textOf((await type(device.user_code)).body)
    expect(said).toContain('another network than yours ( 203.0.113.9 )')
    expect(said).not.toContain(ownNetwork)
  })

  // [threat 115.7]
  it('answers the same to a code that never was, that was used, that has expired and that another user denied', async () => {
    const [used, denied, expired] = [await startOne(), await startOne(), await startOne()]
    const [ada, eve] = [await atDevicePage(stack()), await atDevicePage(stack())]
    await eve.answer(used.user_code, 'allow')
    tokensIn(await used.poll())
    await eve.answer(denied.user_code, 'deny')
    const answers = [await ada.type(used.user_code), await ada.type(denied.user_code), await ada.type('BBBB-BBBB')]
    stack().advance(900)
    const late = await signedInAtDevicePage(stack(), ada.user.email)
    answers.push(await late.type(expired.user_code), await late.type(''))
    const said = answers.map(({ status, body }) => [status, textOf(body)])
    expect(new Set(said.map(String)).size).toBe(1)
    expect(said[0]).toEqual([400, expect.stringContaining('This code is not valid, or no longer')])
  })

  // [threat 115.9]
  it('asks for a new sign-in if the last is older than 10 minutes, at the code and at the answer', async () => {
    const device = await startOne()
    const { visitor, type, answer } = await atDevicePage(stack())
    const asked = await type(device.user_code)
    stack().advance(602)
    expect((await visitor.submit('', asked, 'allow')).body).toContain('name="password"')
    expect((await type(device.user_code)).body).toContain('name="password"')
    expect((await visitor.get('')).body).toContain('name="password"')
    expect((await answer(device.user_code, 'allow')).body).toContain('name="password"')
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
  })

  it('signs out for another account', async () => {
    const { visitor, page } = await atDevicePage(stack())
    const left = await visitor.submit('', page, 'switch')
    expect([left.status, visitor.cookie]).toEqual([303, undefined])
    expect((await visitor.get('')).body).toContain('name="password"')
  })

  it('leads a double press of the button to the same page', async () => {
    const device = await startOne()
    const { visitor, type } = await atDevicePage(stack())
    const asked = await type(device.user_code)
    const pressed = [await visitor.submit('', asked, 'allow'), await visitor.submit('', asked, 'allow')]
    expect(pressed.map(({ status, body }) => [status, textOf(body).includes('is connected')])).toEqual([
      [200, true],
      [200, true],
    ])
    tokensIn(await device.poll())
    // To another user it is unknown, and for the other answer it is too late.
    const eve = await atDevicePage(stack())
    const fields = { user_code: device.user_code }
    expect((await eve.visitor.submit('', eve.page, 'allow', { fields })).status).toBe(400)
    expect((await visitor.submit('', asked, 'code')).status).toBe(400)
    expect((await visitor.submit('', asked, 'deny')).status).toBe(400)
  })

  it('answers 503 if the store fails, and the device still waits', async () => {
    const device = await startOne()
    const { visitor, type } = await atDevicePage(stack())
    const asked = await type(device.user_code)
    for (const operation of ['PutItem', 'TransactWriteItems'] as const) {
      stack().database.fail({ operation, times: 10, kind: 'error' })
      expect((await visitor.submit('', asked, 'allow')).status).toBe(503)
      stack().database.reset()
    }
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
  })
})

describe('A form of the page of devices', () => {
  // [asvs 3.5.1] [threat 115.8]
  it('does nothing without the cookie’s token, from another session, and from another site', async () => {
    const device = await startOne()
    const [ada, eve] = [await atDevicePage(stack()), await atDevicePage(stack())]
    const asked = await ada.type(device.user_code)
    const fields = { csrf: formFields((await eve.type(device.user_code)).body).csrf ?? '' }
    const forged = [
      await ada.visitor.submit('', asked, 'allow', { fields }),
      await ada.visitor.submit('', asked, 'allow', { fields: { csrf: '' } }),
      await ada.visitor.submit('', asked, 'allow', { withoutCookie: true }),
      await ada.visitor.submit('', asked, 'allow', { headers: { origin: 'https://evil.example.com' } }),
      await ada.visitor.submit('', asked, 'deny', { headers: { 'sec-fetch-site': 'cross-site' } }),
    ]
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(await device.poll()).toMatchObject(refusal('authorization_pending'))
  })

  it('of a sign-in that another tab has made leads to the page', async () => {
    const visitor = new Visitor(stack().baseUrl, '/api/device')
    const { email } = await registerUser(stack())
    const [first, second] = [await visitor.get(''), await visitor.get('')]
    const password = 'a password of this test’s own'
    await visitor.submit('', first, 'login', { fields: { email, password } })
    const again = await visitor.submit('', second, 'login', { fields: { email, password } })
    expect([again.status, (await visitor.get('')).body.includes('name="user_code"')]).toEqual([303, true])
  })
})
