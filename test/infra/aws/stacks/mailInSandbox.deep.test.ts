import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import type { StageSettings } from '../../../../infra/data/stages.ts'
import { changedStage, stageWith, synthesizeStage } from './synthesized.ts'

const anything = z.record(z.string(), z.unknown())

describe('Mail', () => {
  it('is sent to recipients that SES knows while it has the account in its sandbox, from the stage’s address only', () => {
    const grantsOf = (stage: StageSettings) => {
      const { service } = synthesizeStage(stage)
      const statements = service.statements(service.lambda('auth-register').Role)
      return statements.filter(({ Action }) => Action.includes('ses:SendEmail'))
    }
    const Condition = { StringEquals: { 'ses:FromAddress': 'no-reply@console.example.com' } }
    const any = expect.stringMatching(/:identity\/\*$/)
    expect(grantsOf(changedStage)).toEqual([
      expect.objectContaining({ Condition, Resource: expect.arrayContaining([any]) }),
    ])
    expect(grantsOf(stageWith())).toEqual([
      expect.objectContaining({ Condition, Resource: expect.not.arrayContaining([any]) }),
    ])
  })

  it('is deleted with its stage', () => {
    const { data } = synthesizeStage(stageWith())
    const policies = data.resources('AWS::SES::EmailIdentity', anything).map(({ DeletionPolicy }) => DeletionPolicy)
    expect(policies).toEqual(['Delete'])
  })
})
