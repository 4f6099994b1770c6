import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

const root = new URL('../../', import.meta.url)
const document = new URL('infra/decisions/asvs.md', root)
const text = readFileSync(document, 'utf8')

const states = ['met', 'partly', 'not met', 'not applicable']

/** A test as the table names it. */
interface NamedTest {
  readonly file: string
  readonly title: string
}

/** The tests of a cell: each a file and a title, in backquotes. */
function testsIn(cell: string): NamedTest[] {
  const named = cell.matchAll(/`(test\/[^`]+\.test\.ts)` `([^`]+)`/g)
  return [...named].map(([, file = '', title = '']) => ({ file, title }))
}

const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [item = '', level = '', asks = '', state = '', evidence = '', ...rest] = line.split(' | ')
    return { item: item.replace('| ', ''), level, asks, state, evidence: evidence.replace(/ \|$/, ''), rest }
  })
const tests = rows.flatMap(({ item, evidence }) => testsIn(evidence).map((test) => ({ item, ...test })))

/** What a row says beside the tests that it names. */
const reasonIn = (evidence: string) =>
  evidence
    .replaceAll(/`test\/[^`]+` `[^`]+`/g, '')
    .replaceAll(/[;:. ]+/g, ' ')
    .trim()

/** Whether a source calls something like `it` or `it.each(...)` with exactly this text as its title. */
function hasTest(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const literal = `${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`
    const pieces = source.split(literal)
    return pieces.slice(1).some((after, index) => /^,\s/.test(after) && /\(\s*$/.test(pieces[index] ?? ''))
  })
}

describe('The table of ASVS items', () => {
  it('names every item once, in its order, with a level, a state and nothing beside', () => {
    const numbers = rows.map(({ item }) => item)
    const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    expect(numbers).toEqual(inOrder)
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const row of rows) {
      expect(row).toMatchObject({ item: expect.stringMatching(/^\d+\.\d+\.\d+$/), rest: [] })
      expect(row.level).toMatch(/^[123]$/)
      expect(states).toContain(row.state)
    }
  })

  it('shows what is met by a test or by what is written, and says why wherever it is not wholly met', () => {
    const bare = rows.filter(({ state, evidence }) => {
      const isShown = testsIn(evidence).length > 0 || /\]\(/.test(evidence)
      return state === 'met' ? !isShown && reasonIn(evidence).length < 40 : reasonIn(evidence).length < 6
    })
    expect(bare).toEqual([])
  })

  it('names tests that there are', () => {
    const missing = tests.filter(({ file, title }) => {
      const source = new URL(file, root)
      return !existsSync(source) || !hasTest(readFileSync(source, 'utf8'), title)
    })
    expect(missing).toEqual([])
  })

  it('links to files that there are', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
    expect(links).not.toEqual([])
    expect(links.filter((link) => !existsSync(new URL(link, document)))).toEqual([])
  })

  it('prints how many there are', () => {
    const count = (state: string) => rows.filter((row) => row.state === state).length
    const counts = states.map((state) => `${count(state)} ${state}`).join(', ')
    const named = new Set(tests.map(({ file, title }) => `${file} ${title}`)).size
    process.stdout.write(`ASVS 5.0: ${rows.length} items: ${counts}; ${named} tests named\n`)
    expect(rows.length).toBeGreaterThan(100)
    expect(named).toBeGreaterThan(100)
  })
})
