import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleSources } from './bundledSources.mjs'
import bundlePackages from './bundlePackages.mjs'

/**
 * Jest's global set-up: bundles packages, and opens a folder in which the test files of one run share what is expensive to make. What they
 * start as processes of Node keeps its compiled code: half of a short script's time goes into compiling the SDKs.
 */
export default async function openRunFolder() {
  process.env.NODE_COMPILE_CACHE ??= join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    'node_modules',
    '.cache',
    'test-compiled',
  )
  process.env.TEST_RUN_FOLDER = mkdtempSync(join(tmpdir(), 'test-run-'))
  await Promise.all([bundlePackages(), bundleSources(join(process.env.TEST_RUN_FOLDER, 'sources.cjs'))])
}
