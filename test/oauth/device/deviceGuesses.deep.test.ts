import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from '../authorize/page.ts'
import { tokensIn } from '../token/tokenRequests.ts'
import { atDevicePage, registerDeviceClient, signedInAtDevicePage, startDevice } from './deviceVisits.ts'

const stack = useAccountsStack()
const startOne = async () => startDevice(stack(), await registerDeviceClient(stack()))

describe('Wrong codes', () => {
  // [catch decideDevice.orTooMany] [asvs 2.4.1] [threat 115.6]
  it('end in 429 for the session alone, in which a right code is not read any more', async () => {
    const device = await startOne()
    const ada = await atDevicePage(stack())
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries += 1) statuses.push((await ada.type('BBBB-BBBB')).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    const refused = await ada.type(device.user_code)
    expect(refused.status).toBe(429)
    expect(textOf(refused.body)).not.toContain('Command line')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)

    const elsewhere = await signedInAtDevicePage(stack(), ada.user.email)
    expect((await elsewhere.type('CCCC-CCCC')).status).toBe(400)
    expect((await elsewhere.answer(device.user_code, 'allow')).status).toBe(200)
    tokensIn(await device.poll())
  })

  // [threat 115.6]
  it('count before they are read, while right ones do not count', async () => {
    const ada = await atDevicePage(stack())
    for (let tries = 0; tries < 12; tries += 1) {
      const device = await startOne()
      expect((await ada.answer(device.user_code, 'deny')).status).toBe(200)
    }
    const together = await Promise.all(Array.from({ length: 14 }, () => ada.type('BBBB-BBBB')))
    expect(together.filter(({ status }) => status === 400)).toHaveLength(10)
  })
})
