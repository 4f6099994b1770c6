import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
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

it('is under 120 lines', () => {
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').split('\n').length).toBeLessThan(120)
})
