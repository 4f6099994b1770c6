import { it } from '@jest/globals'
import { checkPicture } from '../console/checkPicture.ts'
import { useStackInBrowser } from '../console/useStackInBrowser.ts'
import { playReadme } from './playReadme.ts'

const { describeInBrowser, open, local } = useStackInBrowser('test/infra/docs/readmePictures')

/** Width and height of each part. */
const sizes = { 'lost-answer': [320, 270], buy: [320, 540], 'charged-once': [880, 170] } as const

describeInBrowser('The three pictures of README’s steps', () => {
  it('show the fault, the order, and the two requests', async () => {
    const owner = await open({ viewport: { width: 1280, height: 1600 }, colorScheme: 'light' })
    await playReadme(owner.page, local().info.base_url, async (step, page) => {
      if (step === 'charged-once') await page.getByRole('searchbox').fill('sub:')
      const from = {
        'lost-answer': page.getByRole('group').filter({ has: page.getByRole('heading', { name: 'Faults' }) }),
        buy: page.getByRole('complementary', { name: 'Your order' }),
        'charged-once': page.getByRole('table', { name: /^Requests/ }),
      }[step]
      const [width, height] = sizes[step]
      await checkPicture(page, `console/screenshots/${step}.png`, { from: from.first(), width, height })
    })
    await owner.close()
  })
})
