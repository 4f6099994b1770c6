import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { laxBoolean, organizationId, pydanticUuid } from '../../../lib/http/schema.ts'
import { checkProperty } from './checkProperty.ts'
import { codePoint, json } from './jsonValues.ts'

const spelled = fc
  .tuple(fc.uuid(), fc.constantFrom('plain', 'bare', 'braces', 'urn'), fc.boolean())
  .map(([id, spelling, upper]) => {
    const text = upper ? id.toUpperCase() : id
    const spellings = { plain: text, bare: text.replaceAll('-', ''), braces: `{${text}}`, urn: `urn:uuid:${text}` }
    return { id, text: spellings[spelling] }
  })

/** Text that is nearly a UUID, and any other. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF-{}gé😀 '), maxLength: 50 }),
  fc.tuple(spelled, fc.nat(50), fc.string({ unit: codePoint, maxLength: 2 })).map(([{ text }, at, change]) => {
    return text.slice(0, at) + change + text.slice(at + 1)
  }),
  fc.string({ unit: codePoint }),
)

const words = ['1', 'true', 't', 'yes', 'y', 'on', '0', 'false', 'f', 'no', 'n', 'off']

describe('A UUID', () => {
  it('is read in all of its spellings, as the same text', () => {
    checkProperty(
      fc.property(spelled, ({ id, text }) => {
        expect(pydanticUuid().parse(text)).toBe(id)
        expect(organizationId().parse(text)).toBe(id)
      }),
    )
  })

  it('is canonical, or refused with a reason that repeats nothing of what was sent', () => {
    const reason =
      /^Input should be a valid UUID, invalid (character at \d+|length: expected length 32 for simple format, found \d+|group count: expected 5, found \d+|group length in group \d: expected \d+, found \d+)$/
    checkProperty(
      fc.property(anyText, (text) => {
        const { data, error } = organizationId().safeParse(text)
        if (data !== undefined) {
          expect(data).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
          expect(text.toLowerCase().replaceAll('-', '')).toContain(data.replaceAll('-', ''))
          return
        }
        expect(error?.issues).toMatchObject([{ params: { type: 'uuid_parsing', msg: expect.stringMatching(reason) } }])
      }),
    )
  })

  it('is never anything but text', () => {
    checkProperty(
      fc.property(json, (value) => {
        fc.pre(typeof value !== 'string')
        expect(pydanticUuid().safeParse(value).error?.issues).toMatchObject([{ params: { type: 'uuid_type' } }])
      }),
    )
  })
})

describe('A lax boolean', () => {
  it('is one of twelve words in any case', () => {
    const cased = fc.tuple(fc.constantFrom(...words), fc.infiniteStream(fc.boolean())).map(([word, upper]) => {
      return { word, text: [...word].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join('') }
    })
    checkProperty(
      fc.property(cased, ({ word, text }) => {
        expect(laxBoolean().parse(text)).toBe(words.indexOf(word) < words.indexOf('0'))
      }),
    )
  })

  it('is refused for whatever else JSON carries, by its type', () => {
    checkProperty(
      fc.property(json, (value) => {
        const known = typeof value === 'boolean' || value === 0 || value === 1
        const { success, error } = laxBoolean().safeParse(value)
        if (known || (typeof value === 'string' && words.includes(value.toLowerCase()))) expect(success).toBe(true)
        else {
          const type = typeof value === 'string' || Number.isInteger(value) ? 'bool_parsing' : 'bool_type'
          expect(error?.issues).toMatchObject([{ params: { type } }])
        }
      }),
    )
  })
})
