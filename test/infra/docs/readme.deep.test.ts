import { it } from '@jest/globals'
import { useStackInBrowser } from '../console/useStackInBrowser.ts'
import { playReadme } from './playReadme.ts'

const { describeInBrowser, open, local } = useStackInBrowser('test/infra/docs/readme')

describeInBrowser('The README', () => {
  it('says in four steps how to buy while an answer is lost, and to be charged once', async () => {
    const owner = await open()
    await playReadme(owner.page, local().info.base_url)
    await owner.close()
  })
})
