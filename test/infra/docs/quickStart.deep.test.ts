import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { localClient } from '../../../infra/local/localClient.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { runQuickStart } from './quickStarts.ts'

const stack = await openLocalStack()

/** Whether a program is installed. Says so if it is not. */
function isInstalled(program: string, version: string): boolean {
  const isThere = spawnSync(program, [version]).status === 0
  if (!isThere) process.stderr.write(`The quick start in ${program} was not played: ${program} is not installed\n`)
  return isThere
}

describe('The quick start of the API guide', () => {
  it.each([
    ['go', 'go', 'version'],
    ['python', 'python3', '--version'],
  ] as const)('in %s prints what the organization may use', async (language, program, version) => {
    if (!isInstalled(program, version)) return
    expect(await runQuickStart(language, localClient(stack.info))).toBe('ota,monitoring')
  })
})
