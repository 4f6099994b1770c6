import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'

const root = new URL('../../', import.meta.url)
const rows: readonly FunctionRow[] = manifest
const names = rows.map(({ name }) => name)

const sampleEvent = z.looseObject({ '//expect': z.number() })

/** The statuses that a function's sample events are meant to be answered with. */
function expectedStatuses(name: string): number[] {
  return readdirSync(new URL('events/', root))
    .filter((file) => file.startsWith(`${name}.`) && file.endsWith('.json'))
    .map((file) => sampleEvent.parse(JSON.parse(readFileSync(new URL(`events/${file}`, root), 'utf8')))['//expect'])
}

/** A document that is the same for everybody, whatever the request says, has nothing to refuse. */
function canRefuse({ caller, trigger, tables }: FunctionRow): boolean {
  const isRead = trigger.kind === 'http' && trigger.method === 'GET'
  return !(caller === 'anyone' && isRead && Object.keys(tables).length === 0)
}

function reachedAt({ trigger }: FunctionRow): string {
  if (trigger.kind === 'url') return 'a Lambda URL of its own'
  if (trigger.kind === 'schedule') return `every ${trigger.every}`
  return trigger.kind === 'unmatched' ? 'any other path' : `\`${trigger.method} ${trigger.path}\``
}

describe('The manifest', () => {
  it('names every function once, in kebab-case', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
  })

  it('names exactly the folders under functions/', () => {
    expect(readdirSync(new URL('functions/', root)).sort()).toEqual([...names].sort())
  })

  it.each(names)('%s is a handler, a contract and nothing else', (name) => {
    expect(readdirSync(new URL(`functions/${name}/`, root)).sort()).toEqual(['contract.ts', 'handler.ts'])
  })

  it.each(rows.filter((row) => row.caller !== 'schedule' && row.trigger.kind !== 'unmatched' && canRefuse(row)))(
    '$name has events for a success and for a refusal',
    ({ name }) => {
      const statuses = expectedStatuses(name)
      // A form that is taken is answered with a redirect.
      expect(statuses.some((status) => status < 400)).toBe(true)
      expect(statuses.some((status) => status >= 400)).toBe(true)
    },
  )

  it.each(rows.filter(({ caller }) => caller === 'schedule'))('$name has the event of its schedule', ({ name }) => {
    expect(expectedStatuses(name)).toEqual([200])
  })

  it('is the README’s table of endpoints', () => {
    const readme = readFileSync(new URL('README.md', root), 'utf8')
    const table = rows.map(
      (row) => `| [\`${row.name}\`](functions/${row.name}) | ${reachedAt(row)} | ${row.caller} | ${row.summary} |`,
    )
    expect(readme.split('\n').filter((line) => line.startsWith('| [`') && line.includes('](functions/'))).toEqual(table)
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
