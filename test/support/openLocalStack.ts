import { afterAll } from '@jest/globals'
import { type LocalStack, startStack } from '../../infra/local/stack.ts'

/** Starts a stack for the tests of a file, and closes it after the last of them. Schedules run only if you ask for them. */
export async function openLocalStack(options: Parameters<typeof startStack>[0] = {}): Promise<LocalStack> {
  const stack = await startStack({ quiet: true, schedules: false, ...options })
  afterAll(() => stack.close())
  return stack
}
