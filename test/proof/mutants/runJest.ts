import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const resultsSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

/** What some test files came to: the names of the tests that failed, and why a file could not be run at all. */
export interface TestRun {
  passed: number
  failed: string[]
  broken: string[]
}

/**
 * Runs test files of a copy of the repository, one after the other.
 * @param folder the copy, with its `node_modules`
 * @throws Error where jest itself does not answer
 */
export async function runJest(folder: string, files: readonly string[]): Promise<TestRun> {
  const report = join(folder, 'results.json')
  const node = ['--experimental-vm-modules', join(folder, 'node_modules/jest/bin/jest.js')]
  const jest = ['--runInBand', '--ci', '--silent', '--json', `--outputFile=${report}`]
  const cache = `--cacheDirectory=${join(folder, '.jest')}`
  const child = spawn(process.execPath, [...node, ...jest, cache, '--runTestsByPath', ...files], {
    cwd: folder,
    stdio: 'ignore',
  })
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const { numPassedTests, testResults } = resultsSchema.parse(JSON.parse(await readFile(report, 'utf8')))
  return {
    passed: numPassedTests,
    failed: testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ status, fullName }) => (status === 'failed' ? [fullName] : [])),
    ),
    broken: testResults.flatMap(({ message, assertionResults }) => (assertionResults.length === 0 ? [message] : [])),
  }
}
