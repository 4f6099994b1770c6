import { describe, expect, it } from '@jest/globals'
import { manifest } from '../../../../infra/manifest.ts'
import { expectGolden } from './golden.ts'
import { renderPermissions, renderRoutes } from './rendered.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'

const { service } = synthesizeStage(stageWith({}, 'prod'))

const versions = manifest.map(
  ({ name }) => `lambda:InvokeFunction on arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:prod-${name}:*`,
)
const groups = 'on arn:AWS::Partition:codedeploy:AWS::Region:AWS::AccountId:deploymentgroup:prod-console/*'
const deployments = ['GetDeploymentTarget', 'ListDeploymentTargets', 'PutLifecycleEventHookExecutionStatus']
const wildcardReasons = {
  ...Object.fromEntries(versions.map((line) => [line, 'The check of releases calls any new version'])),
  ...Object.fromEntries(
    deployments.map((action) => [`codedeploy:${action} ${groups}`, 'It speaks of its deployments']),
  ),
  'xray:PutTelemetryRecords on *': 'X-Ray knows no resource for it',
  'xray:PutTraceSegments on *': 'X-Ray knows no resource for it',
  'lambda:InvokeFunction on AccessTokensPublicKeyReaderFunction.Arn:*': 'Any version of the one function it calls',
}

describe('Production as it was agreed on (`GOLDEN=write` changes it)', () => {
  // [asvs 16.4.2]
  it('may do exactly what golden/permissions.txt lists', () => {
    expectGolden('permissions.txt', renderPermissions(service))
  })

  it('has no wildcard in an action or a resource but those that have a reason', () => {
    const wildcards = renderPermissions(service)
      .split('\n')
      .map((line) => line.split(' if ')[0] ?? '')
      .filter((line) => line.includes('*'))
    expect(new Set(wildcards.map((line) => line.trim()))).toEqual(new Set(Object.keys(wildcardReasons)))
  })

  it('is reached exactly as golden/routes.txt lists', () => {
    expectGolden('routes.txt', renderRoutes(service))
  })
})
