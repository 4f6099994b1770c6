import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { fullStage, synthesizeStage } from '../stacks/synthesized.ts'
import { reference } from '../stacks/templates.ts'

/** Services whose guides advise no such condition, each with its reason. */
const withoutAccount = {
  // A function is given its role by someone of the role's account who may pass it (iam:PassRole), and runs for no other account.
  'lambda.amazonaws.com': 'AWS Lambda',
} as const

const trust = z.object({
  AssumeRolePolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Principal: z.looseObject({ Service: z.string().optional() }),
        Condition: z.record(z.string(), z.record(z.string(), reference)).optional(),
      }),
    ),
  }),
})

/** Every statement by which a service may take on a role, of a stage with all that stages may have. */
const trusted = synthesizeStage(fullStage).stacks.flatMap(([, stack]) =>
  stack
    .resources('AWS::IAM::Role', trust)
    .flatMap(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement)
    .flatMap(({ Principal, Condition = {} }) =>
      Principal.Service === undefined ? [] : [{ service: Principal.Service, Condition }],
    ),
)

describe('A role that a service may take on', () => {
  it('is taken on for this account only, where AWS advises to say so', () => {
    const services = new Set(trusted.map(({ service }) => service))
    expect(services).toContain('backup.amazonaws.com')
    expect(services).toContain('codedeploy.amazonaws.com')
    for (const { service, Condition } of trusted) {
      if (service in withoutAccount) continue
      expect([service, Condition.StringEquals?.['aws:SourceAccount']]).toEqual([service, 'AWS::AccountId'])
    }
  })

  // CodeDeploy's user guide, Cross-service confused deputy prevention.
  it('is taken on by CodeDeploy for deployment groups of its own application only', () => {
    const [codeDeploy] = trusted.filter(({ service }) => service === 'codedeploy.amazonaws.com')
    const groups = 'arn:aws:codedeploy:us-east-1:AWS::AccountId:deploymentgroup:prod-console/*'
    expect(codeDeploy?.Condition.ArnLike).toEqual({ 'aws:SourceArn': groups })
  })
})
