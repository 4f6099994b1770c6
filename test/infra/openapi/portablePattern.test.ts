import { describe, expect, it } from '@jest/globals'
import { patternsOf } from '../../../infra/openapi/clients/patterns.ts'
import { portablePattern } from '../../../infra/openapi/portablePattern.ts'
import { organizationName } from '../../../lib/organizations/organizationResource.ts'
import { committed } from './openApiDocument.ts'

const patterns = patternsOf(committed)
const nameSource = '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2060-\\u206F]+$'

describe('A pattern of the document', () => {
  it.each(patterns)(
    'compiles in JavaScript without flags and uses only what Python and RE2 read alike: %s',
    (pattern) => {
      expect(() => new RegExp(pattern)).not.toThrow()
      expect(portablePattern(pattern)).toBe(pattern)
    },
  )

  it('is there for codes, cards, usernames and names', () => {
    expect(patterns.length).toBeGreaterThan(4)
  })

  it.each([
    '\\w+',
    '\\d',
    '\\p{L}',
    '(?=a)',
    '(a)\\1',
    '(?<n>a)',
    'a.b',
    '\\u202a',
    '\\bword',
    '(?i)a',
    '[\\s]',
    'a{2,}?\\z',
  ])('is refused where languages differ: %s', (pattern) => {
    expect(() => portablePattern(pattern)).toThrow('not read alike')
  })
})

describe('The published pattern of an organization’s name', () => {
  it('takes what the API’s own pattern takes, of every character up to U+FFFF and of astral ones, and refuses no name of the API', () => {
    const own = new RegExp(nameSource, 'u')
    const published = new RegExp(portablePattern(nameSource))
    const differing: string[] = []
    for (let code = 1; code <= 0x10ffff; code += code < 0xffff ? 1 : 0x1357) {
      const name = `a${String.fromCodePoint(code)}b`
      const isTaken = organizationName.safeParse(name).success
      if (published.test(name) !== own.test(name) || (isTaken && !published.test(name)))
        differing.push(code.toString(16))
    }
    expect(differing).toEqual([])
  })
})
