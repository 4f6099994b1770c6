import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, version } from 'esbuild'
import { leanCalls } from '../../../infra/aws/bundle/leanCalls.ts'

/** Packages of hundreds of files. Jest links each file of a package anew in every test file, which takes longer than most tests. */
export const packages = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-dynamodb-streams',
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
  'bowser',
  'esbuild',
  'fast-check',
  'ipaddr.js',
  'jose',
  'luxon',
  'otpauth',
  'p-retry',
  'playwright-core',
  'qs',
  'openid-client',
  'standardwebhooks',
  'stripe',
  'uqr',
  '@noble/hashes/argon2.js',
  'zod',
  'zod/mini',
]

const root = join(import.meta.dirname, '..', '..', '..')
const outdir = join(root, 'node_modules', '.cache', 'test-packages')

/** Stripe's SDK reads a stack at each call, for the case that it fails, and Jest reads source maps for each of its lines. */
const withoutCallSites = {
  name: 'without-call-sites',
  setup({ onLoad }) {
    onLoad({ filter: /stripe[\\/]esm[\\/]\w+\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('callSiteStack = new Error().stack', 'callSiteStack = undefined'),
    }))
  },
}

/**
 * Jest's global set-up: writes these packages into one script, which `plainGlobals.cjs` runs in the context of each test file, and for
 * each of them a module under `node_modules/.cache` that takes its exports from there, where `moduleNameMapper` finds it. V8 compiles a
 * script's functions once for all contexts of a process, and a module's for each context anew. Built together, so that what two of
 * them share is there once: an error's class is the same for both. Built again when the installed packages, this file or
 * the plugin change.
 */
export default async function bundlePackages() {
  const key = createHash('sha256').update(version)
  for (const path of [
    'node_modules/.package-lock.json',
    'test/support/jest/bundlePackages.mjs',
    'infra/aws/bundle/leanCalls.ts',
    'infra/aws/bundle/lambdaSha256.ts',
  ]) {
    key.update(readFileSync(join(root, path)))
  }
  const stamp = join(outdir, `${key.digest('hex')}.stamp`)
  if (existsSync(stamp)) return
  await build({
    stdin: {
      contents: `module.exports = { ${packages.map((name) => `'${name}': () => require('${name}')`).join(', ')} }`,
      resolveDir: root,
    },
    outfile: join(outdir, 'packages.cjs'),
    bundle: true,
    // Not for a bundle: one copy of it serves all test files of a process.
    external: ['esbuild', 'playwright-core'],
    // As in the functions' own bundles: a fortieth of the time of the tests.
    plugins: [leanCalls, withoutCallSites],
    format: 'cjs',
    // A script has no modules to import: what is loaded late is required.
    supported: { 'dynamic-import': false },
    platform: 'node',
    conditions: ['import', 'module'],
    mainFields: ['module', 'main'],
    target: 'node24',
  })
  for (const name of packages) {
    const path = join(outdir, `${name}.mjs`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await moduleText(name))
  }
  writeFileSync(stamp, '')
}

async function moduleText(name) {
  const names = Object.keys(await import(name)).filter((exported) => exported !== 'default')
  return [
    `const loaded = globalThis[Symbol.for('test packages')]['${name}']()`,
    ...names.map((exported, at) => `const x${at} = loaded['${exported}']`),
    `export { ${names.map((exported, at) => `x${at} as '${exported}'`).join(', ')} }`,
    // A CommonJS package is its own default.
    `export default loaded.default ?? loaded`,
  ].join('\n')
}
