import { afterEach, describe, expect, it } from '@jest/globals'
import {
  loadConfig as loadAsTheSdk,
  NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
} from '@smithy/core/config'
import { NODE_MAX_ATTEMPT_CONFIG_OPTIONS } from '@smithy/core/retry'
import { loadConfig } from '../../../../infra/aws/bundle/lambdaSettings.ts'

const variables = ['AWS_MAX_ATTEMPTS', 'AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'] as const
const before = variables.map((name) => [name, process.env[name]] as const)

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

function set(values: Partial<Record<(typeof variables)[number], string>>) {
  for (const name of variables) delete process.env[name]
  Object.assign(process.env, values)
}

describe('A setting of a client in a bundle', () => {
  it.each([
    [{}],
    [{ AWS_MAX_ATTEMPTS: '7', AWS_USE_FIPS_ENDPOINT: 'true' }],
    [{ AWS_MAX_ATTEMPTS: 'many', AWS_USE_FIPS_ENDPOINT: 'perhaps', AWS_USE_DUALSTACK_ENDPOINT: 'false' }],
  ])('is what the SDK finds where there are no files: %j', async (values) => {
    set(values)
    // A profile that no file has.
    const options = { profile: 'of-no-file', filepath: '/nowhere', configFilepath: '/nowhere' }
    for (const setting of [NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS]) {
      expect(await loadConfig(setting)()).toBe(await loadAsTheSdk(setting, options)())
    }
    expect(await loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS)()).toBe(
      await loadAsTheSdk(NODE_MAX_ATTEMPT_CONFIG_OPTIONS, options)(),
    )
  })

  it('is not looked for again once it was found', async () => {
    set({ AWS_MAX_ATTEMPTS: '7' })
    const load = loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS)
    await load()
    set({ AWS_MAX_ATTEMPTS: '8' })
    expect(await load()).toBe(7)
  })
})
