import { expect, it } from '@jest/globals'
import * as z from 'zod'
import { de } from '../../../lib/texts/de.ts'
import { en } from '../../../lib/texts/en.ts'
import { useStackInBrowser } from '../../infra/console/useStackInBrowser.ts'
import { giveAddress, givePassword } from '../../signIn/provider/companyWalk.ts'

const { describeInBrowser, local, open } = useStackInBrowser('test/oauth/device/devicePages', { COMPANY_SIGN_IN: 'on' })

const started = z.object({ device_code: z.string(), user_code: z.string(), verification_uri: z.string() })

/** A device that waits for its user, and its next poll. */
async function startDevice() {
  const client_id = local().info.demo.device_client_id
  const send = (path: string, body: object) => local().send({ method: 'POST', path, body: { client_id, ...body } })
  const { body } = await send('/api/oauth/device_authorization', { scope: 'offline_access billing:read' })
  const { device_code, user_code, verification_uri } = started.parse(body)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return { user_code, verification_uri, poll: () => send('/api/oauth/token', { grant_type, device_code }) }
}

describeInBrowser('The pages of a device, in a browser', () => {
  it.each([
    [
      'en-US',
      en,
      'from the network that you use now',
      'allow',
      'allowed',
      { status: 200, body: { token_type: 'Bearer' } },
    ],
    [
      'de-DE',
      de,
      'aus dem Netz, das Sie gerade verwenden',
      'deny',
      'denied',
      { status: 400, body: { error: 'access_denied' } },
    ],
  ] as const)(
    'ask for the sign-in, the code and the answer (%s)',
    async (locale, texts, network, answer, end, polled) => {
      const { user_code, verification_uri, poll } = await startDevice()
      const opened = await open(undefined, locale)
      const look = (name: string) => opened.expectSoundEverywhere(`device-${name}-${locale}`)
      await opened.page.goto(verification_uri)
      await look('sign-in')
      await giveAddress(opened.page, local().info.demo.owner.email)
      await look('ways')
      await givePassword(opened.page, local().info.demo.owner)
      await opened.heading(texts.device.title)
      await look('code')
      const type = async (code: string) => {
        await opened.page.getByLabel(texts.device.label).fill(code)
        await opened.button(texts.device.button).click()
      }
      await type('WDJB-MJHT')
      await opened.page.getByText(texts.device.unknown_code).waitFor()
      opened.forgetRefusals(400)
      await look('unknown-code')
      await type(user_code.toLowerCase())
      await opened.page.getByText(user_code).waitFor()
      // The device asked at 127.0.0.1, the browser perhaps at ::1: both are this machine.
      await opened.page.getByText(network).waitFor()
      await look('confirm')
      await opened.button(texts.consent[answer]).click()
      await opened.heading(texts.device[end].title)
      await look(end)
      expect(await poll()).toMatchObject(polled)
      await opened.close()
    },
  )
})
