import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bundlePackages from './bundlePackages.mjs'

/** Jest's global set-up: bundles packages, and opens a folder in which the test files of one run share what is expensive to make. */
export default async function openRunFolder() {
  process.env.TEST_RUN_FOLDER = mkdtempSync(join(tmpdir(), 'test-run-'))
  await bundlePackages()
}
