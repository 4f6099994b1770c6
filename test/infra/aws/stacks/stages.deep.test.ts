import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { App } from 'aws-cdk-lib/core'
import { consoleStacks } from '../../../../infra/aws/stacks/consoleStacks.ts'
import { stackNames } from '../../../../infra/aws/stacks/stackNames.ts'
import { buildStage, codeDirectory, context } from './assembled.ts'
import { stageWith } from './synthesized.ts'

describe('The stacks of a stage', () => {
  const placed = stageWith({ account: '111122223333', region: 'eu-central-1' }, 'prod')
  const { stacks } = buildStage(placed)

  it('carry its name as a tag, its account and region, and protection from removal where data is kept', () => {
    for (const stack of Object.values(stacks)) {
      expect(stack.tags.tagValues()).toEqual({ application: 'console', stage: 'prod' })
      expect([stack.account, stack.region]).toEqual(['111122223333', 'eu-central-1'])
    }
    expect(Object.entries(stacks).filter(([, { terminationProtection }]) => !terminationProtection)).toEqual([])
  })

  it('are deployed after every stack that they refer to', () => {
    const order: string[] = Object.values(stackNames(placed))
    const references = Object.values(stacks).flatMap(({ stackName, dependencies }) =>
      dependencies.map((on) => [on.stackName, stackName] as const),
    )
    expect(references).toContainEqual(['prod-console-billing', 'prod-console-api-stage'])
    expect(references.filter(([on, by]) => order.indexOf(on) > order.indexOf(by))).toEqual([])
  })
})

describe('The CDK’s own rules', () => {
  it('let production be synthesized', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'cdk.out-'))
    try {
      const app = new App({ context, outdir })
      consoleStacks(app, stageWith({}, 'prod'), () => codeDirectory)
      expect(
        app
          .synth()
          .stacks.map(({ stackName }) => stackName)
          .toSorted(),
      ).toEqual(Object.values(stackNames(stageWith({}, 'prod'))).toSorted())
    } finally {
      rmSync(outdir, { recursive: true })
    }
  })
})
