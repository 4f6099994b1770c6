import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { environment, isSet } from '../../../lib/runtime/environment.ts'
import { rateLimitFromEnvironment } from '../../../lib/runtime/rateLimits.ts'

const before = { ...process.env }

beforeEach(() => {
  process.env = {}
})

afterEach(() => {
  process.env = before
})

describe('A variable of the environment', () => {
  it('is what it is set to', () => {
    process.env = {
      ACCOUNTS_TABLE: 'accounts',
      STAGE: 'prod',
      TOKEN_ISSUER: 'https://api.example.com',
      LOG_LEVEL: 'WARN',
    }
    const { ACCOUNTS_TABLE, STAGE, TOKEN_ISSUER, LOG_LEVEL } = environment
    expect([ACCOUNTS_TABLE, STAGE, TOKEN_ISSUER, LOG_LEVEL]).toEqual([
      'accounts',
      'prod',
      'https://api.example.com',
      'WARN',
    ])
    expect([isSet('ACCOUNTS_TABLE'), isSet('BILLING_TABLE')]).toEqual([true, false])
  })

  it('has its default, or is left out, where it is not set', () => {
    const { AWS_REGION, LOG_LEVEL, STAGE, CLOCK_URL } = environment
    expect([AWS_REGION, LOG_LEVEL, STAGE, CLOCK_URL]).toEqual(['us-east-1', 'INFO', undefined, undefined])
  })

  it.each([
    [{}, () => environment.ACCOUNTS_TABLE, 'The environment has no ACCOUNTS_TABLE'],
    [{ ACCOUNTS_TABLE: '' }, () => environment.ACCOUNTS_TABLE, "The environment's ACCOUNTS_TABLE is empty"],
    [{ STAGE: '' }, () => environment.STAGE, "The environment's STAGE is empty"],
    [{ CLOCK_URL: 'here' }, () => environment.CLOCK_URL, "The environment's CLOCK_URL is not a URL"],
    [{}, () => environment.TOKEN_ISSUER, 'The environment has no TOKEN_ISSUER'],
    [
      { LOG_LEVEL: 'LOUD' },
      () => environment.LOG_LEVEL,
      "The environment's LOG_LEVEL is none of DEBUG, INFO, WARN, ERROR, SILENT",
    ],
  ])('throws where it is missing or ill-formed, without what it holds: %j', (variables, read, message) => {
    process.env = variables
    expect(read).toThrow(new Error(message))
  })
})

describe('The limit of a function', () => {
  const limit = { functionName: 'users-me', requests: 60, windowSeconds: 60, failMode: 'open' }

  function read(value: unknown, RATE_LIMITS = 'on') {
    process.env = { ACCOUNTS_TABLE: 'accounts', RATE_LIMITS, RATE_LIMIT: JSON.stringify(value) }
    return rateLimitFromEnvironment()?.limit
  }

  it('is the one in the environment, where limits are on', () => {
    expect(read(limit)).toEqual(limit)
    expect(read(limit, 'off')).toBeUndefined()
  })

  it.each([
    null,
    'users-me',
    { ...limit, functionName: '' },
    { ...limit, functionName: undefined },
    { ...limit, requests: 0 },
    { ...limit, requests: '60' },
    { ...limit, windowSeconds: 1.5 },
    { ...limit, windowSeconds: -60 },
    { ...limit, failMode: 'ajar' },
  ])('throws where it is none: %j', (value) => {
    expect(() => read(value)).toThrow("The environment's RATE_LIMIT is no limit of a function")
  })
})
