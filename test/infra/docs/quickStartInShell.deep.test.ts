import { describe, expect, it } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { runQuickStart } from './quickStarts.ts'

const stack = await openLocalStack()

describe('The quick start of the API guide', () => {
  it.each(['sh', 'ts'] as const)('in %s prints what the organization may use', async (language) => {
    expect(await runQuickStart(language, localClient(stack.info))).toBe('ota,monitoring')
  })
})
