import { describe, expect, it } from '@jest/globals'
import { matchPath } from '../../../lib/http/request/pathTemplate.ts'

describe('A path template', () => {
  // [catch pathTemplate.decoded]
  it.each([
    ['/api/users/me', '/api/users/me', {}],
    ['/api/organizations/{id}', '/api/organizations/1', { id: '1' }],
    ['/api/organizations/{id}/members/{user}', '/api/organizations/a%2Fb/members/%C3%A9', { id: 'a/b', user: 'é' }],
    ['/api/organizations/{id}', '/api/organizations/%zz', { id: '%zz' }],
    ['/api/organizations/{id}', '/api/organizations/', undefined],
    ['/api/organizations/{id}', '/api/organizations', undefined],
    ['/api/organizations/{id}', '/api/organizations/1/', undefined],
    ['/api/organizations/{id}', '/api/Organizations/1', undefined],
    ['/api/users/me', '/api/users/me/', undefined],
  ])('%s matches %s with %j', (template, path, parameters) => {
    expect(matchPath(template, path)).toEqual(parameters)
  })
})
