import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { MAX_BRANDING_BYTES } from '../../../../lib/core/branding.ts'
import { offered } from './stageCombinations.ts'
import { findingsIn, fullStage, synthesizeStage } from './synthesized.ts'

describe('The rule packs (AwsSolutions, Serverless, NIST 800-53 r5)', () => {
  // Every combination of three settings is in the deep tests.
  it('find nothing that is not excused in a stage with all that there is', () => {
    expect(findingsIn(fullStage)).toEqual([])
  })

  it('are run on every setting that a stage has', () => {
    const chosen = new Set(Object.values(offered).flatMap((values) => values.flatMap(Object.keys)))
    expect(Object.keys(stageSettings.shape).filter((name) => !chosen.has(name))).toEqual([])
  })
})

describe('What CloudFormation takes', () => {
  const whatToDo =
    'put the next rows into an area of their own in infra/manifest.ts (infra/runbook/releases.md, Deployment order)'
  const largest = synthesizeStage(fullStage)
  const anything = z.record(z.string(), z.unknown())

  it.each(largest.stacks.map(([name, { written }]) => ({ name, written })))(
    'is not used up by the stack $name of the largest stage',
    ({ written }) => {
      // The limits are 500 resources and 1 MB.
      const count = Object.keys(anything.parse(anything.parse(written).Resources)).length
      const fits = 'fewer than 400 resources'
      expect(count < 400 ? fits : `${count} resources: ${whatToDo}`).toBe(fits)
      expect(JSON.stringify(written, undefined, 1).length).toBeLessThan(900_000)
    },
  )
})

describe('What Lambda takes', () => {
  const withVariables = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })

  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: 4 KB for all variables of a function, with their names.
  it('is not used up by the variables of a function, even with the largest branding', () => {
    const tooLarge = synthesizeStage(fullStage).stacks.flatMap(([stack, { written }]) =>
      Object.entries(resources.parse(written).Resources).flatMap(([id, { Properties }]) => {
        const { success, data } = withVariables.safeParse(Properties)
        const size = success ? sizeOf(data.Environment.Variables) : 0
        return size > 4096 ? [`${stack} ${id}: ${size} bytes`] : []
      }),
    )
    expect(tooLarge).toEqual([])
  })
})

/** An ARN of a secret has some 90. */
const REFERENCE_BYTES = 100

/** Of two RSA keys of 2048 bits: id, colon, base64, and a comma. */
const PUBLIC_KEYS_BYTES = 2 * (36 + 1 + 392) + 1

const resources = z.object({ Resources: z.record(z.string(), z.looseObject({ Properties: z.unknown() })) })

/** In bytes. A reference of CloudFormation is to a name, an id, an ARN or an address. */
function sizeOf(variables: Readonly<Record<string, unknown>>): number {
  const sizes = Object.entries(variables).map(([name, value]) => {
    if (name === 'BRANDING') return name.length + MAX_BRANDING_BYTES
    if (name === 'TOKEN_PUBLIC_KEY') return name.length + PUBLIC_KEYS_BYTES
    return name.length + (typeof value === 'string' ? Buffer.byteLength(value) : REFERENCE_BYTES)
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
