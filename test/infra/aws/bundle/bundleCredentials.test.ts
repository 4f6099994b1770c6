import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { defaultProvider } from '../../../../infra/aws/bundle/lambdaCredentials.ts'

const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const
let before: (readonly [string, string | undefined])[] = []

function set(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

beforeEach(() => {
  before = names.map((name) => [name, process.env[name]] as const)
  set([
    ['AWS_ACCESS_KEY_ID', 'ASIAEXAMPLE'],
    ['AWS_SECRET_ACCESS_KEY', 'secret'],
    ['AWS_SESSION_TOKEN', 'session'],
  ])
})

afterEach(() => set(before))

describe('The credentials of a bundled function', () => {
  // [asvs 13.2.1]
  it('are its role’s, as Lambda sets them', async () => {
    const credentials = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' }
    expect(await defaultProvider()()).toEqual(credentials)
  })

  it('are read from the environment once', async () => {
    const provider = defaultProvider()
    const before = await provider()
    set([['AWS_ACCESS_KEY_ID', undefined]])
    expect(await provider()).toBe(before)
  })

  it('go without a session token where none is set', async () => {
    set([['AWS_SESSION_TOKEN', undefined]])
    expect(await defaultProvider()()).toEqual({ accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret' })
  })

  it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('are refused by name where %s is not set', async (name) => {
    set([[name, undefined]])
    await expect(defaultProvider()()).rejects.toThrow('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  })
})
