import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { entryPoints } from '../../../../infra/aws/bundle/entryPoints.ts'
import { kilobytesOf, readBudgets } from '../../../../infra/bench/bundleBudgets.ts'
import { bundleContents, unitOf } from '../../../../infra/bench/bundleContents.ts'
import { type BundledFunctions, bundleFunctions } from '../../../../infra/bench/bundleFunctions.ts'
import { crossOriginOf, type FunctionRow, manifest } from '../../../../infra/manifest.ts'

const rows: readonly FunctionRow[] = manifest
const names = Object.keys(entryPoints)
const budgets = await readBudgets()
const sourceMap = z.object({ sources: z.array(z.string()) })

let bundles: BundledFunctions

beforeAll(async () => {
  bundles = await bundleFunctions()
})

afterAll(() => bundles?.close())

/** The packages in a function's bundle, and our own folders. */
function unitsOf(name: string): Set<string> {
  return new Set([...bundleContents(bundles.metafile, name).files.keys()].map(unitOf))
}

describe('The size of a bundle', () => {
  it('has a budget, for every function that is deployed', () => {
    expect(Object.keys(budgets).toSorted()).toEqual(names.toSorted())
  })

  it.each(Object.entries(budgets))(
    'is within its budget, which npm run bundle:report -- --write renews: %s',
    (name, budget) => {
      expect(kilobytesOf(bundles.metafile)[name]).toBeLessThanOrEqual(budget)
    },
  )
})

describe.each(names)('The bundle of %s', (name) => {
  it('imports nothing when it runs, so that no import of node:http loads undici', () => {
    expect(bundleContents(bundles.metafile, name).imports).toEqual([])
  })

  it('has no tracer’s package and no credential provider but its own', () => {
    const unwanted =
      /tracer|aws-xray|opentelemetry|credential-provider|token-providers|nested-clients|client-(sso|sts|cognito)/
    expect([...unitsOf(name)].filter((unit) => unwanted.test(unit))).toEqual([])
  })

  it('has no event streams, for which esbuild would keep all of the SDK’s core', () => {
    const files = [...bundleContents(bundles.metafile, name).files.keys()]
    expect(files.filter((file) => /node_modules\/.*event-?streams?\//.test(file))).toEqual([])
  })

  it('looks for no settings in files', () => {
    const files = [...bundleContents(bundles.metafile, name).files.keys()]
    expect(files.filter((file) => /shared-ini-file-loader\/(load|read|parse|getHome)/.test(file))).toEqual([])
  })

  it('has of zod what it uses: no language, and none of its methods that chain', () => {
    const unused = [...bundleContents(bundles.metafile, name).files.keys()].filter((file) =>
      /zod\/v4\/(locales|classic)\//.test(file),
    )
    expect(unused).toEqual([])
  })

  it('has its source map beside it, and does not name it', async () => {
    const directory = bundles.codeDirectory(name)
    const files = (await readdir(directory)).toSorted()
    const code = files.filter((file) => file.endsWith('.mjs'))
    expect(files).toEqual(code.flatMap((file) => [file, `${file}.map`]))
    const { sources } = sourceMap.parse(JSON.parse(await readFile(join(directory, 'handler.mjs.map'), 'utf8')))
    expect(sources).toContainEqual(expect.stringMatching(/handler\.ts$/))
    expect(await readFile(join(directory, 'handler.mjs'), 'utf8')).not.toContain('sourceMappingURL')
  })
})

describe('A bundle at its start', () => {
  // The release check is no answer to a caller, and signs as soon as it starts.
  const answering = names.filter((name) => name !== 'release-check')

  it.each(answering)('has no SDK, which is loaded when it is first used: %s', (name) => {
    const units = [...bundleContents(bundles.metafile, name).atStart.files.keys()].map(unitOf)
    expect(units.filter((unit) => /^(stripe|@aws-sdk\/.*|@smithy\/.*)$/.test(unit))).toEqual([])
  })
})

describe('A bundle', () => {
  const clients: readonly (readonly [string, (row: FunctionRow) => boolean])[] = [
    ['stripe', ({ secrets }) => secrets.includes('stripeSecretKey')],
    ['@aws-sdk/client-secrets-manager', ({ secrets }) => secrets.length > 0],
    ['@aws-sdk/client-kms', ({ kms }) => Object.keys(kms).length > 0],
    ['@aws-sdk/client-sesv2', ({ mail }) => mail === true],
    ['@aws-sdk/client-dynamodb', (row) => Object.keys(row.tables).length > 0 || crossOriginOf(row) === 'registered'],
  ]

  it('describes neither the SDK nor its settings in its requests', async () => {
    const directory = bundles.codeDirectory('users-me')
    const files = (await readdir(directory)).filter((file) => file.endsWith('.mjs'))
    const code = (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n')
    expect(code).toContain('x-amz-target')
    expect(code).not.toContain('x-amz-user-agent')
  })

  it('is one file with the one client of AWS that a function has, and shares files among several', async () => {
    const partsOf = async (name: string) =>
      (await readdir(bundles.codeDirectory(name))).filter((file) => /^(dynamodb|kms|shared-.*)\.mjs$/.test(file)).length
    expect(await partsOf('users-me')).toBe(1)
    expect(await partsOf('billing-checkout')).toBeGreaterThan(2)
  })

  it.each(clients)('has %s where its row of the manifest says so, and nowhere else', (client, needs) => {
    const having = rows.filter(({ name }) => unitsOf(name).has(client)).map(({ name }) => name)
    expect(having).toEqual(rows.filter(needs).map(({ name }) => name))
  })
})

describe('The dependencies of package.json', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')))

  it('are all in some bundle', () => {
    const contained = new Set(names.flatMap((name) => [...unitsOf(name)]))
    expect(Object.keys(dependencies).filter((dependency) => !contained.has(dependency))).toEqual([])
  })

  it('are every package that a file of a bundle imports', () => {
    const { inputs } = bundles.metafile
    const own = names.flatMap((name) => [...bundleContents(bundles.metafile, name).files.keys()])
    const imported = own
      .filter((file) => !file.includes('node_modules/'))
      .flatMap((file) => inputs[file]?.imports ?? [])
      .flatMap(({ path }) => (path.includes('node_modules/') ? [unitOf(path)] : []))
    expect(imported).toContain('zod')
    expect(imported.filter((unit) => !Object.hasOwn(dependencies, unit))).toEqual([])
  })
})
