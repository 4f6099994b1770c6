import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const substituted = z
  .object({ 'Fn::Sub': z.string() })
  .transform((value) => value['Fn::Sub'].replace(/\$\{(?:AWS::)?([^}]+)\}/g, '<$1>'))
const text = z.union([z.string(), substituted])
const list = z.union([text.transform((one) => [one]), z.array(text)])
const statement = z.object({ Action: list, Resource: list.default([]), Condition: z.unknown().optional() })
const policy = z.object({ Statement: z.array(statement) })
const role = z.object({
  Properties: z.object({
    AssumeRolePolicyDocument: policy,
    ManagedPolicyArns: z.array(z.object({ Ref: z.string() })),
    Policies: z.array(z.object({ PolicyDocument: policy })),
  }),
})
const { PlanRole, DeployRole, Preflight, GitHub } = z
  .object({
    Resources: z.object({
      PlanRole: role,
      DeployRole: role,
      Preflight: z.object({ Properties: z.object({ PolicyDocument: policy }) }),
      GitHub: z.object({ Properties: z.object({ Url: z.string(), ClientIdList: z.array(z.string()) }) }),
    }),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../../../infra/aws/deploy/githubRoles.json', import.meta.url), 'utf8')),
  ).Resources

/** The subject of GitHub's tokens that a role trusts, where it compares nothing but that and the audience. */
function subjectOf({ Properties: { AssumeRolePolicyDocument } }: z.infer<typeof role>): string {
  const trusts = z.strictObject({
    StringEquals: z.strictObject({
      'token.actions.githubusercontent.com:aud': z.literal('sts.amazonaws.com'),
      'token.actions.githubusercontent.com:sub': text,
    }),
  })
  const [only, ...others] = AssumeRolePolicyDocument.Statement
  expect(others).toEqual([])
  return trusts.parse(only?.Condition).StringEquals['token.actions.githubusercontent.com:sub']
}

const allowed = ({ Properties }: z.infer<typeof role>) =>
  Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((resource) => `${action} ${resource.split(':').slice(5).join(':')}`)),
  )

describe('The roles of the workflow', () => {
  it('trust one environment of one repository each, by exact comparison', () => {
    // A pattern in StringEquals is no pattern: a fork, another branch's environment or a pull request has another subject.
    expect(subjectOf(PlanRole)).toBe('repo:<Repository>:environment:<Stage>-plan')
    expect(subjectOf(DeployRole)).toBe('repo:<Repository>:environment:<Stage>')
    expect(GitHub.Properties).toEqual({
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    })
  })

  it('let the plan take on the role that looks, and no other', () => {
    const suffix = '<AccountId>-<Region>'
    expect(allowed(PlanRole)).toEqual([`sts:AssumeRole role/cdk-<Qualifier>-lookup-role-${suffix}`])
    expect(allowed(DeployRole)).toEqual([
      `sts:AssumeRole role/cdk-<Qualifier>-deploy-role-${suffix}`,
      `sts:AssumeRole role/cdk-<Qualifier>-file-publishing-role-${suffix}`,
      `sts:AssumeRole role/cdk-<Qualifier>-lookup-role-${suffix}`,
      'lambda:ListVersionsByFunction function:<Stage>-*',
      'lambda:ListAliases function:<Stage>-*',
      // With a version only, never the function itself.
      'lambda:DeleteFunction function:<Stage>-*:*',
      ...['s3:ListBucket', 's3:PutObject'].flatMap((action) =>
        ['', '/*'].map((files) => `${action} <Stage>-console-web-*${files}`),
      ),
    ])
  })

  it('let both read what the preflight looks at, and no value of a secret', () => {
    for (const { Properties } of [PlanRole, DeployRole]) {
      expect(Properties.ManagedPolicyArns).toEqual([{ Ref: 'Preflight' }])
    }
    const [items] = Preflight.Properties.PolicyDocument.Statement.filter(({ Action }) =>
      Action.includes('dynamodb:GetItem'),
    )
    expect(items?.Condition).toMatchObject({
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': 'RECONCILIATION' },
    })
    const actions = Preflight.Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action)
    expect(
      actions.filter(
        (action) => !/:(Get(AccountSettings|Account|EmailIdentity|Parameter|Item)|Describe|List)/.test(action),
      ),
    ).toEqual([])
  })
})
