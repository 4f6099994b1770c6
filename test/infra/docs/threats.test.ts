import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const text = read('infra/decisions/threats.md')

/** The rows of the tables: an attack, what the attacker has afterwards, and each test as a file with the title it names. */
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', attack = '', outcome = '', shownBy = '', ...rest] = line.slice(2, -2).split(' | ')
    return { number, attack, outcome, shownBy, tests: testsIn(shownBy), rest }
  })

/** A file with one title or several, as proof.md writes them. */
function testsIn(shownBy: string) {
  return [...shownBy.matchAll(/`([\w/.-]+\.test\.ts)`: ((?:\*[^*]+\*(?:; )?)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ file: `test/${file}`, title })),
  )
}

const open = /^open:(.*)$/m.exec(text)?.[1]?.trim().split(' ') ?? []

describe('The list of attacks', () => {
  it('has each once, in order, with an outcome', () => {
    const numbers = rows.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)])
    const ofGroups = numbers.filter((number) => !number.includes('.'))
    expect(ofGroups).toEqual(ofGroups.map((_, index) => `${index + 1}`))
    for (const { attack, outcome, rest } of rows) {
      expect(attack.length).toBeGreaterThan(10)
      expect(outcome.length).toBeGreaterThan(2)
      expect(rest).toEqual([])
    }
  })

  it('has every finding of the review', () => {
    const findings = rows.flatMap(({ number }) => /^15\.(\d)/.exec(number)?.[1] ?? [])
    expect([...new Set(findings)]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  })

  it('names a test for each, but for those that its end lists as open', () => {
    expect(rows.filter(({ shownBy }) => shownBy === 'open').map(({ number }) => number)).toEqual(open)
    expect(rows.filter(({ tests, shownBy }) => tests.length === 0 && shownBy !== 'open')).toEqual([])
  })

  it.each(rows.flatMap(({ number, tests }) => tests.map((test) => ({ number, ...test }))))(
    'names a test of $number that exists: $file: $title',
    ({ file, title }) => {
      expect(["'", '"', '`'].some((quote) => read(file).includes(quote + title + quote))).toBe(true)
    },
  )

  it('prints how many there are', () => {
    const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))
    process.stdout.write(`Attacks: ${rows.length}, shown in ${files.size} files; ${open.length} open\n`)
    expect(files.size).toBeGreaterThan(0)
  })
})
