import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { anchorOf } from '../../infra/aws/runbook.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
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
    const { devDependencies } = z
      .object({ devDependencies: z.object({ node: z.string() }) })
      .parse(JSON.parse(read('package.json')))
    expect(read('.nvmrc').trim()).toBe(devDependencies.node.split('.')[0])
  })
})
