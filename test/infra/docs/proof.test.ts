import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const proof = read('infra/decisions/proof.md')

/** The rows of a numbered table: its number, and each test as a file with the title that it names. */
const rows = [...proof.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number = '', cells = '']) => ({
  number: Number(number),
  // A file with one title or several.
  tests: [...cells.matchAll(/`([\w/.-]+\.test\.ts)`: ((?:\*[^*]+\*(?:; )?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ file: `test/${file}`, title })),
  ),
}))

describe('The table of bugs in proof.md', () => {
  it('has every number once, in order, each with a test', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([])
  })

  it.each(rows.flatMap(({ number, tests }) => tests.map((test) => ({ number, ...test }))))(
    'names a test of $number that exists: $file',
    ({ file, title }) => {
      expect(read(file)).toContain(title)
    },
  )
})
