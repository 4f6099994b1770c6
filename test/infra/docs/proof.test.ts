import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { filesOfRow, filesOfTags, ruleTags } from '../../support/source/ruleTags.ts'

const proof = readFileSync(new URL('../../../infra/decisions/proof.md', import.meta.url), 'utf8')

/** The rows of a numbered table: a number, and the files of the tests in the cells after it. */
const rows = [...proof.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number = '', cells = '']) => ({
  number: Number(number),
  files: filesOfRow(number, cells),
}))

describe('The table of bugs in proof.md', () => {
  it('has every number once, in order, each with a test', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
    expect(rows.filter(({ files }) => files.length === 0)).toEqual([])
  })

  it('names exactly the files with a test that names the bug in a comment: // [bug 7]', () => {
    expect(filesOfTags('bug')).toEqual(rows.flatMap(({ files }) => files).toSorted())
    expect(ruleTags('bug').filter(({ isAtTest }) => !isAtTest)).toEqual([])
  })
})
