import { readdirSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { samplesOf } from '../../infra/local/samples/readSamples.ts'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'

const root = new URL('../../', import.meta.url)
const rows: readonly FunctionRow[] = manifest
const names = rows.map(({ name }) => name)

/** The expected status of each sample of a function, by its name. */
function expectedStatuses(name: string): Record<string, number> {
  return Object.fromEntries(Object.entries(samplesOf(name)).map(([sample, { expect }]) => [sample, expect]))
}

/** A document that is the same for every caller, whatever the request says, has nothing to refuse. */
function canRefuse({ caller, trigger, tables }: FunctionRow): boolean {
  const isRead = trigger.kind === 'http' && trigger.method === 'GET'
  return !(caller === 'anyone' && isRead && Object.keys(tables).length === 0)
}

describe('The manifest', () => {
  it('names every function once, in kebab-case', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
  })

  it('names exactly the folders under functions/', () => {
    const folders = readdirSync(new URL('functions/', root)).filter((entry) => !entry.endsWith('.md'))
    expect(folders.sort()).toEqual([...names].sort())
  })

  it('names exactly the functions that have samples', () => {
    const files = readdirSync(new URL('events/', root)).filter((file) => file.endsWith('.json'))
    expect(files.sort()).toEqual(names.map((name) => `${name}.json`).sort())
  })

  it.each(names)('%s is a handler, a contract and nothing else', (name) => {
    expect(readdirSync(new URL(`functions/${name}/`, root)).sort()).toEqual(['contract.ts', 'handler.ts'])
  })

  it.each(rows.filter((row) => row.caller !== 'schedule' && row.trigger.kind !== 'unmatched' && canRefuse(row)))(
    '$name has events for a success and for a refusal',
    ({ name }) => {
      const statuses = Object.values(expectedStatuses(name))
      // A form is answered with a redirect.
      expect(statuses.some((status) => status < 400)).toBe(true)
      expect(statuses.some((status) => status >= 400)).toBe(true)
    },
  )

  it.each(rows.filter(({ caller }) => caller === 'schedule'))(
    '$name has the event of its schedule, and of the check of its release',
    ({ name, samples }) => {
      expect(expectedStatuses(name)).toEqual({ [samples.served ?? '']: 200, 'release-check': 200 })
    },
  )

  it.each(rows)('$name names samples that exist: one served, one refused', ({ name, samples }) => {
    const { served, refused } = samples
    const statuses = expectedStatuses(name)
    expect(served ?? refused).toBeDefined()
    if (served !== undefined) expect(statuses[served]).toBeLessThan(400)
    if (refused !== undefined) expect([400, 401, 403, 404, 422]).toContain(statuses[refused])
  })

  it('keeps every function of the HTTP API under the API’s own limit of 30 s', () => {
    const slow = rows.filter(({ trigger, timeoutSeconds }) => trigger.kind === 'http' && timeoutSeconds > 29)
    expect(slow.map(({ name }) => name)).toEqual([])
  })
})

describe('The top level', () => {
  it('holds what architecture allows and nothing else', () => {
    const allowed = [
      ...['functions', 'lib', 'infra', 'test', 'events'],
      ...['package.json', 'package-lock.json', 'tsconfig.json', 'cdk.json', 'README.md', 'LICENSE', 'CHANGELOG.md'],
    ]
    const made = ['node_modules', 'cdk.out', 'coverage']
    const entries = readdirSync(root).filter((name) => !name.startsWith('.') && !made.includes(name))
    expect(entries.sort()).toEqual(allowed.sort())
  })
})
