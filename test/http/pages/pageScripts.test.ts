import { describe, expect, it } from '@jest/globals'
import { bundlePageScript } from '../../../infra/pageScripts/bundlePageScript.ts'
import { scriptElement } from '../../../lib/core/html.ts'
import passkeyRegistration from '../../../lib/pages/scripts/passkeyRegistration.json' with { type: 'json' }
import passkeySignIn from '../../../lib/pages/scripts/passkeySignIn.json' with { type: 'json' }

describe('The scripts of the hosted pages', () => {
  it.each(Object.entries({ passkeySignIn, passkeyRegistration }))(
    'are what `npm run pages` writes, and small enough to be sent in a page: %s',
    async (name, { script }) => {
      expect(script).toBe(await bundlePageScript(name))
      expect(script.length).toBeLessThan(8 * 1024)
    },
  )

  it.each(['</script>', '</SCRIPT >', '<!-- '])('never end their element: %s is refused', (text) => {
    expect(() => scriptElement(`x${text}`)).toThrow('end its element')
  })
})
