import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { ruleTags } from '../../support/source/ruleTags.ts'
import { asvsLevels } from './asvsLevels.ts'

const root = new URL('../../../', import.meta.url)
const document = new URL('infra/decisions/asvs.md', root)
const text = readFileSync(document, 'utf8')

const states = ['met', 'partly', 'not met', 'not applicable']

/** The last cell is a state and perhaps a reason: `met`, `partly: a reason`, `met, untested: a reason`. */
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [item = '', level = '', asks = '', answer = '', ...rest] = line.slice(2, -2).split(' | ')
    const [, state = '', untested, reason = ''] = /^([a-z ]+)(, untested)?(?:: (.+))?$/.exec(answer) ?? []
    return { item, level, asks, state, isTested: untested === undefined, reason, rest }
  })
const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true })
const tags = ruleTags('asvs')

describe('The table of ASVS items', () => {
  it('names every item once, in its order, with a level, a state and nothing beside', () => {
    const numbers = rows.map(({ item }) => item)
    const inOrder = numbers.toSorted(byNumber)
    expect(numbers).toEqual(inOrder)
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const row of rows) {
      expect(row).toMatchObject({ item: expect.stringMatching(/^\d+\.\d+\.\d+$/), rest: [] })
      expect(row.level).toMatch(/^[123]$/)
      expect(states).toContain(row.state)
    }
  })

  it('has only items of the standard, each with its level', () => {
    expect(rows.filter(({ item, level }) => asvsLevels.get(item) !== level)).toEqual([])
  })

  it('has every item of V6, V7 and V10, and every item of level 1 of the chapters that concern the service', () => {
    const leftOut = new Set(['1', '5', '17'])
    const required = [...asvsLevels].filter(([item, level]) => {
      const [chapter = ''] = item.split('.')
      if (['6', '7', '10'].includes(chapter)) return true
      // 4.4.1 is about WebSockets.
      return level === '1' && !leftOut.has(chapter) && item !== '4.4.1'
    })
    const listed = new Set(rows.map(({ item }) => item))
    expect(required.map(([item]) => item).filter((item) => !listed.has(item))).toEqual([])
    expect(asvsLevels.size).toBe(345)
  })

  it('shows what is met by a test or by what is written, and says why wherever it is not wholly met', () => {
    const bare = rows.filter(({ state, isTested, reason }) => {
      if (state !== 'met') return reason.length < 6
      return !isTested && !/\]\(/.test(reason) && reason.length < 40
    })
    expect(bare).toEqual([])
  })

  it('calls exactly those items untested which no test names in a comment: // [asvs 2.3.4]', () => {
    const tested = rows.filter(({ isTested }) => isTested).map(({ item }) => item)
    expect(tested).toEqual([...new Set(tags.map(({ id }) => id))].toSorted(byNumber))
    expect(tags.filter(({ isAtTest }) => !isAtTest)).toEqual([])
  })

  it('names in short every item of level 1 that is not wholly met', () => {
    const [, inShort = ''] = /^\*\*In short\.\*\* Level 1 is met, except ([\d., and]+)\. /m.exec(text) ?? []
    const missed = rows.filter(({ level, state }) => level === '1' && (state === 'partly' || state === 'not met'))
    expect(inShort.split(/, | and /)).toEqual(missed.map(({ item }) => item))
  })

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
    expect(links).not.toEqual([])
    expect(links.filter((link) => !existsSync(new URL(link, document)))).toEqual([])
  })

  it('prints how many there are', () => {
    const count = (state: string) => rows.filter((row) => row.state === state).length
    const counts = states.map((state) => `${count(state)} ${state}`).join(', ')
    const named = new Set(tags.map(({ place }) => place)).size
    process.stdout.write(`ASVS 5.0: ${rows.length} items: ${counts}; ${named} tests name them\n`)
    expect(rows).not.toEqual([])
  })
})
