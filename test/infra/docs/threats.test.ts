import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { filesOfRow, filesOfTags, ruleTags } from '../../support/source/ruleTags.ts'

const text = readFileSync(new URL('../../../infra/decisions/threats.md', import.meta.url), 'utf8')
const tags = ruleTags('threat')

/** The rows of the tables: an attack, what the attacker has afterwards, and the files of the tests that play it. */
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', attack = '', outcome = '', shownBy = '', ...rest] = line.slice(2, -2).split(' | ')
    return { number, attack, outcome, files: filesOfRow(number, shownBy), rest }
  })

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
    expect(rows.filter(({ files }) => files.length === 0)).toEqual([])
  })

  it('names exactly the files with a test that names the attack in a comment: // [threat 93.1]', () => {
    expect(filesOfTags('threat')).toEqual(rows.flatMap(({ files }) => files).toSorted())
    expect(tags.filter(({ isAtTest }) => !isAtTest)).toEqual([])
  })

  it('prints how many there are', () => {
    const files = new Set(tags.map(({ file }) => file))
    process.stdout.write(`Attacks: ${rows.length}, shown in ${files.size} files\n`)
    expect(files.size).toBeGreaterThan(0)
  })
})
