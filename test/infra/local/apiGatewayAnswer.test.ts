import { describe, expect, it } from '@jest/globals'
import { apiGatewayAnswer } from '../../../infra/local/http/apiGatewayAnswer.ts'

const read = (result: unknown) => {
  const { status, headers, body } = apiGatewayAnswer(result)
  return { status, headers, body: body.toString('utf8') }
}

describe('The answer for a function’s result', () => {
  describe('Given an object with a status code', () => {
    it('has that status, the headers in lower case, the cookies and the body', () => {
      const headers = { 'Content-Type': 'application/json', 'Retry-After': 5 }
      expect(read({ statusCode: 503, headers, cookies: ['a=1', 'b=2'], body: '{}' })).toStrictEqual({
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '5', 'set-cookie': ['a=1', 'b=2'] },
        body: '{}',
      })
    })
    it('is plain text without a content type, and empty without a body', () => {
      expect(read({ statusCode: 204 })).toStrictEqual({
        status: 204,
        headers: { 'content-type': 'text/plain;charset=UTF-8' },
        body: '',
      })
    })
    it('decodes a body marked as base64', () => {
      expect(read({ statusCode: 200, body: 'aMOp', isBase64Encoded: true }).body).toBe('hé')
    })
    it.each([
      { statusCode: 'many', body: '{}' },
      { statusCode: 99, body: '' },
      { statusCode: 200, body: { not: 'text' } },
    ])('is 500 for an invalid object: %j', (result) => {
      expect(read(result)).toStrictEqual({
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: '{"message":"Internal Server Error"}',
      })
    })
  })

  describe('Given any other value', () => {
    it.each([
      [{ message: 'hello' }, '{"message":"hello"}'],
      ['hello', '"hello"'],
      [undefined, 'null'],
    ])('is 200 with the value as JSON: %j', (result, body) => {
      expect(read(result)).toStrictEqual({ status: 200, headers: { 'content-type': 'application/json' }, body })
    })
  })
})
