import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { keysOf } from '../../../infra/cost/watching.ts'
import { fullStage, synthesizeStage } from '../aws/stacks/synthesized.ts'

describe('The cost of a stage with all that there is', () => {
  it('has the keys of every generation', () => {
    const keys = synthesizeStage(fullStage).stacks.flatMap(([, stack]) =>
      stack.resources('AWS::KMS::Key', z.looseObject({})),
    )
    expect(keysOf(fullStage)).toBe(keys.length)
  })
})
