import { expect, it } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { samplePassword } from '../../../infra/local/samples/sampleAccounts.ts'
import { browserAt } from '../../security/iam/securityStory.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { enrollFactors } from '../secondFactor/enrollFactors.ts'

const stack = await openLocalStack()

it('leads from the second factor at the pages of authenticators back to the password, for another account', async () => {
  const { email } = await enrollFactors(localClient(stack.info))
  const browser = browserAt(stack.info.base_url)
  await browser.send({ action: 'login', email, password: samplePassword })
  expect(await browser.visit('')).toContain('value="switch"')
  await browser.send({ action: 'switch' })
  const page = await browser.visit('')
  expect(page).toContain('name="password"')
  expect(page).not.toContain('value="switch"')
})
