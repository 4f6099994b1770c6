import { describe, expect, it } from '@jest/globals'
import { nameBrowser } from '../../../lib/adapters/bowser/nameBrowser.ts'
import { FIREFOX } from '../../oauth/session/sessionVisits.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0'

describe('The name of a browser', () => {
  it.each([
    [FIREFOX, 'Firefox on Linux'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webKit} Mobile/15E148 Safari/604.1`, 'Safari on iOS'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Safari/605.1.15`, 'Safari on macOS'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Microsoft Edge on Windows',
    ],
  ])('is in words: %s', async (userAgent, name) => {
    expect(await nameBrowser(userAgent)).toBe(name)
  })

  it.each([
    undefined,
    '',
    'sample-event/1.0',
    'Your account is locked, call 555 0100/1.0',
    `${'x'.repeat(513)} ${FIREFOX}`,
  ])('is not taken from what no browser sends: %s', async (userAgent) => {
    expect(await nameBrowser(userAgent)).toBeUndefined()
  })
})
