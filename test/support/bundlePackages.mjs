import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, version } from 'esbuild'

/** Packages of hundreds of files. Jest links each file of a package anew in every test file, which takes longer than most tests. */
export const packages = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-kms',
  '@aws-sdk/client-secrets-manager',
  '@aws-sdk/client-sesv2',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/util-dynamodb',
  '@middy/core',
  '@middy/http-json-body-parser',
  '@simplewebauthn/server',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  '@zxcvbn-ts/language-en',
  'fast-check',
  'jose',
  'luxon',
  'stripe',
  'zod',
]

const root = join(import.meta.dirname, '..', '..')
const outdir = join(root, 'node_modules', '.cache', 'test-packages')

/**
 * Jest's global set-up: writes each of these packages into one file under `node_modules/.cache`, where `moduleNameMapper` finds it.
 * Built together, so that what two of them share is there once: an error's class is the same for both. Built again when the
 * installed packages or this list change.
 */
export default async function bundlePackages() {
  const installed = readFileSync(join(root, 'node_modules', '.package-lock.json'))
  const key = createHash('sha256').update(version).update(installed).update(packages.join()).digest('hex')
  const stamp = join(outdir, `${key}.stamp`)
  if (existsSync(stamp)) return
  await build({
    entryPoints: Object.fromEntries(packages.map((name) => [name, name])),
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node24',
    outExtension: { '.js': '.mjs' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  writeFileSync(stamp, '')
}
