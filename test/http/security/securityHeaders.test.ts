import { describe, expect, it } from '@jest/globals'
import { seeOther, toResult } from '../../../lib/http/answer/answer.ts'
import { pageAnswer } from '../../../lib/pages/kit/pageAnswer.ts'
import { plainBranding } from '../../support/branding.ts'
import { errorBody } from '../../support/errorBody.ts'

const answers = {
  JSON: toResult({ status: 200, body: {} }),
  'an error': toResult({ status: 404, body: errorBody('Not Found', 'not_found') }),
  'a page': pageAnswer(
    { branding: plainBranding },
    { status: 200, page: { document: '<!doctype html>', scripts: [], asksService: false } },
  ),
  'a redirect': seeOther('https://console.example.com/'),
}

describe('Any answer', () => {
  // [asvs 3.2.1 3.4.1 3.4.4]
  it.each(Object.entries(answers))(
    'forbids caching and sniffing, and requires HTTPS for a year or more: %s',
    (_, answer) => {
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      const [, seconds = '0'] = /max-age=(\d+)/.exec(String(answer.headers?.['strict-transport-security'])) ?? []
      expect(Number(seconds)).toBeGreaterThanOrEqual(365 * 86_400)
    },
  )

  // [asvs 3.4.8]
  it('isolates a page from windows of other origins', () => {
    expect(answers['a page'].headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' })
  })
})
