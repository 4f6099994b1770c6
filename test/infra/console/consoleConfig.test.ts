import { describe, expect, it } from '@jest/globals'
import { parseConfig } from '../../../infra/console/src/app/consoleConfig.ts'

const config = {
  issuer: 'https://auth.example',
  client_id: 'console',
  api_base_url: 'https://api.example',
  stripe_publishable_key: 'pk_test_1',
  stripe_js_url: 'https://js.stripe.com/endive/stripe.js',
}

describe('The configuration of the console', () => {
  it('is read from config.json', () => {
    expect(parseConfig(JSON.stringify(config))).toEqual(config)
  })

  it.each([
    ...Object.keys(config).map((name) => ({ ...config, [name]: undefined })),
    { ...config, issuer: '/relative' },
    { ...config, client_id: 1 },
    null,
    'text',
  ])('is refused if it is %j', (wrong) => {
    expect(() => parseConfig(JSON.stringify(wrong))).toThrow('config.json is incomplete')
  })
})
