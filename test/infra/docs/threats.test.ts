import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ruleTags } from '../../support/ruleTags.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const text = read('infra/decisions/threats.md')
const tags = ruleTags('threat')

/** The rows of the tables: an attack, what the attacker has afterwards, and the files of the tests that play it. */
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', attack = '', outcome = '', shownBy = '', ...rest] = line.slice(2, -2).split(' | ')
    const titles = titlesIn(shownBy)
    return { number, attack, outcome, titles, files: titles.length > 0 ? [] : filesIn(shownBy), rest }
  })

function filesIn(shownBy: string) {
  return [...shownBy.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file)
}

/** A file with one title or several, as proof.md writes them. */
function titlesIn(shownBy: string) {
  return [...shownBy.matchAll(/`([\w/.-]+\.test\.ts)`: ((?:\*[^*]+\*(?:; )?)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ file: `test/${file}`, title })),
  )
}

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

  it('names a test for each', () => {
    expect(rows.filter(({ files, titles }) => files.length + titles.length === 0)).toEqual([])
  })

  it('names exactly the files with a test that names the attack in a comment: // [threat 93.1]', () => {
    const place = ({ id, file }: { id: string; file: string }) => `${id} ${file}`
    const named = rows.flatMap(({ number, files }) => files.map((file) => place({ id: number, file })))
    expect([...new Set(tags.map(place))].toSorted()).toEqual(named.toSorted())
    expect(tags.filter(({ isAtTest }) => !isAtTest)).toEqual([])
  })

  it.each(rows.flatMap(({ number, titles }) => titles.map((test) => ({ number, ...test }))))(
    'names a test of $number that exists: $file: $title',
    ({ file, title }) => {
      expect(["'", '"', '`'].some((quote) => read(file).includes(quote + title + quote))).toBe(true)
    },
  )

  it('prints how many there are', () => {
    const files = new Set([
      ...tags.map(({ file }) => file),
      ...rows.flatMap(({ titles }) => titles.map(({ file }) => file)),
    ])
    process.stdout.write(`Attacks: ${rows.length}, shown in ${files.size} files\n`)
    expect(files.size).toBeGreaterThan(0)
  })
})
