import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const root = new URL('../../', import.meta.url).pathname

/** The packages installed in more than one version, and who wants the older. Before one is added: do `overrides` in package.json help? */
const several: Readonly<Record<string, string>> = {
  'ansi-styles': 'pretty-format of Jest',
  argparse: 'js-yaml',
  'balanced-match': 'brace-expansion',
  'brace-expansion': 'minimatch',
  camelcase: 'the coverage of Jest',
  'content-type': 'the OpenID provider of tests, of two lines of its framework',
  depd: 'the OpenID provider of tests, as content-type',
  'http-errors': 'the OpenID provider of tests, as content-type',
  'mime-db': 'the OpenID provider of tests, as content-type',
  'mime-types': 'the OpenID provider of tests, as content-type',
  statuses: 'the OpenID provider of tests, as content-type',
  'js-yaml': 'the coverage of Jest, by a function that version 4 lacks',
  'lru-cache': 'Babel of Jest',
  minimatch: 'openapi-typescript',
  'p-limit': 'pkg-dir of Jest',
  'parse-json': 'Jest',
  picomatch: 'anymatch of Jest',
  'pure-rand': 'Jest',
  'react-is': 'pretty-format of Jest, once for React 18 and once for 19',
  semver: 'Babel of Jest',
  'signal-exit': 'execa of Jest',
  'supports-color': 'chalk of Jest',
  tslib: 'tsyringe of @simplewebauthn/server',
  'type-fest': 'ansi-escapes of Jest',
  typescript: 'openapi-typescript, which needs the compiler’s interface of version 5',
}

/** The installed files over 4 MB: programs of one file, and what infra/README.md says under "What node_modules holds". */
const large = [
  /^node_modules\/node-[a-z]+-\w+\/bin\/node$/,
  /^node_modules\/(@biomejs|@dynoxide|@esbuild|esbuild|@typescript)\//,
  /^node_modules\/aws-cdk\/lib\/index(\.js|_bg\.wasm)$/,
  // For what the stacks do not use: the AWS CLI of some constructs, and the CDK for Python, Java, Go and C#.
  /^node_modules\/@aws-cdk\/asset-awscli-v1\/lib\/layer\.zip$/,
  /^node_modules\/aws-cdk-lib\/\.jsii(\.tabl\.json)?\.gz$/,
  /^node_modules\/aws-cdk-lib\/node_modules\/@aws\/cloudformation-validate\/bindings_wasm_bg\.wasm$/,
  /^node_modules\/aws-cdk-lib\/aws-\w+\/lib\/\w+\.generated\.js$/,
  // npm links the client's folder, with the packages of its own.
  /^node_modules\/console-backend-client\/node_modules\/typescript\/lib\/(_tsc|typescript)\.js$/,
]

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ name: z.string().optional(), version: z.string().optional(), inBundle: z.boolean().optional() }),
  ),
})

function severalInLock(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const versions = new Map<string, Set<string>>()
  for (const [path, { name, version, inBundle }] of Object.entries(packages)) {
    // What a package brings in its own archive is not for npm to choose.
    if (version === undefined || inBundle) continue
    const named = name ?? path.replace(/^.*node_modules\//, '')
    versions.set(named, (versions.get(named) ?? new Set()).add(version))
  }
  return [...versions].filter(([, found]) => found.size > 1).map(([name]) => name)
}

function largeFiles(): string[] {
  return readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules/.cache'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size > 4_000_000)
    .map((path) => path.slice(root.length))
}

describe('The installed packages', () => {
  it('are of one version each, but for a few that are known', () => {
    expect(severalInLock().sort()).toEqual(Object.keys(several).sort())
  })

  it('hold no large files but the known', () => {
    const found = largeFiles()
    expect(found).toContain('node_modules/aws-cdk/lib/index.js')
    expect(found.filter((path) => !large.some((known) => known.test(path)))).toEqual([])
  })
})
