import { describe, expect, it } from '@jest/globals'
import { header } from '../../../lib/http/request/request.ts'

describe('A request header', () => {
  it.each([
    ['as API Gateway writes it', { authorization: 'a', origin: 'o' }, 'a'],
    ['as people write it', { Origin: 'o', AuthoriZation: 'a' }, 'a'],
    ['as API Gateway writes it where another has the same name', { Authorization: 'b', authorization: 'a' }, 'a'],
    ['not at all', { authorizatiom: 'a', 'x-authorization': 'b' }, undefined],
  ])('is found %s', (_, headers, value) => {
    expect(header({ headers }, 'authorization')).toBe(value)
  })

  it('is not what every object has', () => {
    expect(header({ headers: {} }, 'constructor')).toBeUndefined()
  })
})
