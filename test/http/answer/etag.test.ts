import { describe, expect, it } from '@jest/globals'
import { CommonError } from '../../../lib/core/errors.ts'
import { etagOf, ifMatch, readAnswer } from '../../../lib/http/answer/etag.ts'

const body = { id: 1, name: 'Acme' }
const etag = etagOf(body)

describe('The ETag of a representation', () => {
  it('is strong and quoted, the same for the same members and another for others', () => {
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    expect(etagOf({ ...body })).toBe(etag)
    expect(etagOf({ ...body, name: 'acme' })).not.toBe(etag)
  })
})

describe('If-Match', () => {
  const check = (value: string) => () => ifMatch({ 'If-Match': value }, (stored) => stored)?.(body)

  it('is no precondition where it was not sent', () => {
    expect(ifMatch({}, (stored) => stored)).toBeUndefined()
  })

  it.each([etag, '*', ` ${etag} `, `"other",${etag}`, `"other" , ${etag}, "more"`])(
    'lets the change pass for %s',
    (value) => {
      expect(check(value)).not.toThrow()
    },
  )

  it.each(['"other"', '', `W/${etag}`, etag.slice(1, -1), `"a${etag.slice(1)}`, '"*"'])(
    'refuses it for %s',
    (value) => {
      expect(check(value)).toThrow(new CommonError('precondition_failed'))
    },
  )
})

describe('If-None-Match', () => {
  it.each([etag, '*', `W/${etag}`, `"other", W/${etag}`])('is answered 304 without a body for %s', (value) => {
    expect(readAnswer(body, { 'If-None-Match': value })).toEqual({ status: 304, body: undefined, headers: { etag } })
  })

  it.each([undefined, '"other"', 'W/"other"', ''])('is answered 200 for %s', (value) => {
    const headers = value === undefined ? {} : { 'If-None-Match': value }
    expect(readAnswer(body, headers)).toEqual({ status: 200, body, headers: { etag } })
  })
})
