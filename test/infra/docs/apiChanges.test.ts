import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { document } from '../openapi/openApiDocument.ts'

const page = readFileSync(new URL('../../../functions/CHANGELOG.md', import.meta.url), 'utf8')
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

/** The sections of the page that have a date, in its order. */
const sections = page.split(/^## /m).flatMap((section) => {
  const [, date] = /^(\d{4}-\d\d-\d\d)\n/.exec(section) ?? []
  return date === undefined ? [] : [{ date, section }]
})

/** The operations on the lines of the page that begin with this word. */
function named(word: string): string[] {
  return sections.flatMap(({ section }) =>
    [...section.matchAll(new RegExp(`^- ${word}: (.*)$`, 'gm'))].flatMap(([, line = '']) =>
      [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ),
  )
}

describe('The changes of the API', () => {
  it('name each operation of the document once where it was added, unless it was removed', () => {
    const removed = named('Removed')
    const left = named('Added').filter((name) => !removed.includes(name))
    expect(left.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted())
  })

  it('have dates, newest first', () => {
    const dates = sections.map(({ date }) => date)
    expect(dates.length).toBeGreaterThan(2)
    expect(dates).toEqual([...new Set(dates)].toSorted().reverse())
    for (const date of dates) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
  })

  it('say which operations are deprecated: those of the document', () => {
    const inDocument = operations.flatMap(({ operationId, deprecated }) => (deprecated ? [operationId] : []))
    const removed = named('Removed')
    expect(named('Deprecated').filter((name) => !removed.includes(name))).toEqual(inDocument)
  })
})
