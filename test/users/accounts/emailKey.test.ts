import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { pydanticProblems } from '../../../lib/http/request/pydanticProblems.ts'
import { emailKey, emailSchema } from '../../../lib/users/emailKey.ts'

/** FastAPI's error for the address, or the parsed address. */
function read(address: unknown): unknown {
  const result = z.object({ email: emailSchema }).safeParse({ email: address }, { reportInput: true })
  if (result.success) return result.data.email
  return pydanticProblems('body', result.error.issues)
}

const refused = (reason: string) => [
  { loc: ['body', 'email'], msg: `value is not a valid email address: ${reason}`, type: 'value_error' },
]

describe('An email address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada.L+tag@EXAMPLE.Com\n', 'Ada.L+tag@example.com'],
    ["o'neil!#$%&*/=?^_`{|}~-@example.com", "o'neil!#$%&*/=?^_`{|}~-@example.com"],
    ['ada@bücher.example.com', 'ada@bücher.example.com'],
    ['ada@xn--bcher-kva.com', 'ada@xn--bcher-kva.com'],
    ['ada@пример.рф', 'ada@пример.рф'],
    [`${'a'.repeat(100)}@example.com`, `${'a'.repeat(100)}@example.com`],
  ])('is %j, read as %j', (typed, address) => {
    expect(read(typed)).toBe(address)
  })

  it.each([
    ['', 'An email address must have an @-sign.'],
    ['no-address', 'An email address must have an @-sign.'],
    [`${'a'.repeat(2049)}`, 'Length must not exceed 2048 characters'],
    ['@example.com', 'There must be something before the @-sign.'],
    ['a b@example.com', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a\tb(c@example.com', "The email address contains invalid characters before the @-sign: U+0009, '('."],
    ['Ada <ada@example.com>', "The email address contains invalid characters before the @-sign: SPACE, '<'."],
    ['ädä@example.com', "Internationalized characters before the @-sign are not supported: 'ä'."],
    ['ada.@example.com', 'An email address cannot have a period immediately before the @-sign.'],
    ['.ada@example.com', 'An email address cannot start with a period.'],
    ['a..b@example.com', 'An email address cannot have two periods in a row.'],
    ['ada@', 'There must be something after the @-sign.'],
    ['ada@[127.0.0.1]', 'A bracketed IP address after the @-sign is not allowed here.'],
    ['ada@a@example.com', "The part after the @-sign contains invalid characters: '@'."],
    ['ada@exa_mple.com', "The part after the @-sign contains invalid characters: '_'."],
    ['ada@example.com.', 'An email address cannot end with a period.'],
    ['ada@.example.com', 'An email address cannot have a period immediately after the @-sign.'],
    ['ada@example..com', 'An email address cannot have two periods in a row.'],
    ['ada@example-', 'An email address cannot end with a hyphen.'],
    ['ada@-example.com', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['ada@example-.com', 'An email address cannot have a period and a hyphen next to each other.'],
    [
      `ada@${'a'.repeat(64)}.com`,
      'After the @-sign, periods cannot be separated by so many characters (1 character too many).',
    ],
    ['ada@example', 'The part after the @-sign is not valid. It should have a period.'],
    ['ada@127.0.0.1', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    ['ada@example.c', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    ...['ada@localhost', 'ada@printer.local', 'ada@example.TEST', 'ada@a.invalid', 'ada@a.onion'].map(
      (address) =>
        [
          address,
          'The part after the @-sign is a special-use or reserved name that cannot be used with email.',
        ] as const,
    ),
    [`${'a'.repeat(300)}@example.com`, 'The email address is too long (58 characters too many).'],
    [`${'a'.repeat(243)}@example.com`, 'The email address is too long (1 character too many).'],
  ] as const)('is not %j', (typed, reason) => {
    expect(read(typed)).toEqual(refused(reason))
  })

  it.each([
    [null, 'string_type'],
    [1, 'string_type'],
    [undefined, 'missing'],
  ])('is not %j', (typed, type) => {
    expect(read(typed)).toMatchObject([{ loc: ['body', 'email'], type }])
  })
})

describe('The key of an address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['ada@BÜCHER.com', 'ada@xn--bcher-kva.com'],
    ['ada@bu\u0308cher.com', 'ada@bücher.com'],
    ['\u212Aate@example.com', 'kate@example.com'],
  ])('is the same for %j and %j', (one, other) => {
    expect(emailKey(one)).toBe(emailKey(other))
  })

  it.each([
    ['ada@example.com', 'ada+tag@example.com'],
    ['ada@example.com', 'a.da@example.com'],
    ['ada@example.com', 'ada@example.org'],
  ])('differs for %j and %j', (one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other))
  })

  it('exists for any text, and is short enough for a DynamoDB key', () => {
    for (const text of ['', '@', 'no-address', '@'.repeat(500), '\u{1F600}'.repeat(9000), 'a@\u0000', 'a@b c']) {
      expect(Buffer.byteLength(emailKey(text))).toBeLessThan(1500)
    }
  })
})
