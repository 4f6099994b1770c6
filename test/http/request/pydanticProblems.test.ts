import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { pydanticProblems } from '../../../lib/http/request/pydanticProblems.ts'
import {
  boundedList,
  boundedString,
  laxBoolean,
  nullAsAbsent,
  patternString,
  pydanticUuid,
} from '../../../lib/http/schema.ts'

const notAnObject = 'Input should be a valid dictionary or object to extract fields from'
const field = (schema: z.ZodMiniType) => z.object({ x: schema })
const problemsOf = (schema: z.ZodMiniType, input: unknown) =>
  pydanticProblems('body', schema.safeParse(input, { reportInput: true }).error?.issues ?? [])

const list = field(boundedList(boundedString({ min: 1, max: 3 }), { min: 2, max: 3 }))
const username = field(boundedString({ min: 3, max: 5 }).check(z.regex(/^[a-z]+$/)))
const colour = field(z.enum(['red', 'green', 'blue']))
const uuid = field(pydanticUuid())
const flag = field(laxBoolean())

describe('Validation problems', () => {
  describe('Given one bad value', () => {
    // [asvs 15.3.5]
    it.each([
      ['a missing member', field(z.string()), {}, 'missing', 'Field required'],
      ['a missing boolean', flag, {}, 'missing', 'Field required'],
      ['a missing UUID', uuid, {}, 'missing', 'Field required'],
      ['a missing enum', colour, {}, 'missing', 'Field required'],
      ['a missing list', list, {}, 'missing', 'Field required'],
      ['null for a string', field(z.string()), { x: null }, 'string_type', 'Input should be a valid string'],
      ['null for a list', list, { x: null }, 'list_type', 'Input should be a valid list'],
      ['null for a boolean', flag, { x: null }, 'bool_type', 'Input should be a valid boolean'],
      ['null for a UUID', uuid, { x: null }, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
      ['a number for a string', field(z.string()), { x: 1 }, 'string_type', 'Input should be a valid string'],
      ['a string for a number', field(z.number()), { x: '1' }, 'float_type', 'Input should be a valid number'],
      ['a half for an integer', field(z.int()), { x: 0.5 }, 'int_type', 'Input should be a valid integer'],
      ['a string for a boolean', field(z.boolean()), { x: 'true' }, 'bool_type', 'Input should be a valid boolean'],
      ['an object for a list', list, { x: {} }, 'list_type', 'Input should be a valid list'],
      ['a string for a list', list, { x: 'ab' }, 'list_type', 'Input should be a valid list'],
      ['a list for a nested object', field(z.object({})), { x: [] }, 'model_attributes_type', notAnObject],
      ['a short string', username, { x: 'ab' }, 'string_too_short', 'String should have at least 3 characters'],
      [
        'an empty string',
        field(boundedString({ min: 1, max: 9 })),
        { x: '' },
        'string_too_short',
        'String should have at least 1 character',
      ],
      ['a long string', username, { x: 'abcdef' }, 'string_too_long', 'String should have at most 5 characters'],
      [
        'two code points in four units',
        username,
        { x: '😀😀' },
        'string_too_short',
        'String should have at least 3 characters',
      ],
      [
        'three code points in six units',
        username,
        { x: '😀😀😀' },
        'string_pattern_mismatch',
        "String should match pattern '^[a-z]+$'",
      ],
      [
        'a string that is short and does not match',
        username,
        { x: '1' },
        'string_too_short',
        'String should have at least 3 characters',
      ],
      [
        'a string that is long and does not match',
        username,
        { x: '111111' },
        'string_too_long',
        'String should have at most 5 characters',
      ],
      [
        'a newline after a match',
        field(patternString(/^[A-Za-z0-9_-]{1,255}$/)),
        { x: 'pm_1\n' },
        'string_pattern_mismatch',
        "String should match pattern '^[A-Za-z0-9_-]{1,255}$'",
      ],
      ['no member of an enum', colour, { x: 'pink' }, 'enum', "Input should be 'red', 'green' or 'blue'"],
      ['null for an enum', colour, { x: null }, 'enum', "Input should be 'red', 'green' or 'blue'"],
      ['another literal', field(z.literal('code')), { x: 'token' }, 'literal_error', "Input should be 'code'"],
      [
        'a list too short',
        list,
        { x: ['a'] },
        'too_short',
        'List should have at least 2 items after validation, not 1',
      ],
      [
        'an empty list',
        field(boundedList(z.string(), { min: 1, max: 20 })),
        { x: [] },
        'too_short',
        'List should have at least 1 item after validation, not 0',
      ],
      [
        'a list too long',
        list,
        { x: ['a', 'b', 'c', 'd', 'e'] },
        'too_long',
        'List should have at most 3 items after validation, not 5',
      ],
      ['a number for a UUID', uuid, { x: 7 }, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
      ['a list for a UUID', uuid, { x: [] }, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
      [
        'an optional string of another type',
        field(nullAsAbsent(z.string())),
        { x: 1 },
        'string_type',
        'Input should be a valid string',
      ],
      [
        'a defaulted boolean set to null',
        field(z._default(laxBoolean(), true)),
        { x: null },
        'bool_type',
        'Input should be a valid boolean',
      ],
    ])('reports %s as pydantic does', (_, schema, input, type, msg) => {
      expect(problemsOf(schema, input)).toEqual([{ loc: ['body', 'x'], msg, type }])
    })
  })

  describe('Given a body that is not an object', () => {
    it.each([[[]], ['text'], [1], [true], [null]])('reports model_attributes_type for %j at the body', (input) => {
      expect(problemsOf(flag, input)).toEqual([{ loc: ['body'], msg: notAnObject, type: 'model_attributes_type' }])
    })

    it('reports an absent body as missing', () => {
      expect(problemsOf(flag, undefined)).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }])
    })
  })

  describe('Given a list with bad items', () => {
    it('reports the items, and not that the list is too short', () => {
      expect(problemsOf(list, { x: [1] })).toEqual([
        { loc: ['body', 'x', 0], msg: 'Input should be a valid string', type: 'string_type' },
      ])
    })

    it('reports that the list is too long, and not its items', () => {
      expect(problemsOf(list, { x: [1, '', 'b', 'c'] })).toEqual([
        { loc: ['body', 'x'], msg: 'List should have at most 3 items after validation, not 4', type: 'too_long' },
      ])
    })

    it('reports every bad item at its index', () => {
      expect(problemsOf(list, { x: ['a', '', 'long'] }).map(({ loc, type }) => [...loc, type])).toEqual([
        ['body', 'x', 1, 'string_too_short'],
        ['body', 'x', 2, 'string_too_long'],
      ])
    })
  })

  describe('Given several bad members', () => {
    const strict = z.strictObject({ b: z.string(), a: laxBoolean(), c: z.enum(['u', 'v']) })

    it('reports them in field order, and then each extra key', () => {
      const input: unknown = JSON.parse('{"z":1,"__proto__":2,"c":3,"a":"maybe"}')
      expect(problemsOf(strict, input)).toEqual([
        { loc: ['body', 'b'], msg: 'Field required', type: 'missing' },
        {
          loc: ['body', 'a'],
          msg: 'Input should be a valid boolean, unable to interpret input',
          type: 'bool_parsing',
        },
        { loc: ['body', 'c'], msg: "Input should be 'u' or 'v'", type: 'enum' },
        { loc: ['body', 'z'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
        { loc: ['body', '__proto__'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
      ])
    })
  })
})
