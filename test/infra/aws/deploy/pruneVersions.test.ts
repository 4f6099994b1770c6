import { describe, expect, it } from '@jest/globals'
import type { RunAws } from '../../../../infra/aws/deploy/awsCommand.ts'
import { pruneVersions } from '../../../../infra/aws/deploy/pruneVersions.ts'
import { stageWith } from '../stacks/synthesized.ts'

interface Deployed {
  readonly versions: readonly string[]
  readonly live: string
  readonly canary?: string
}

/** AWS's command line before these functions; no other function is deployed. */
function awsOf(functions: Record<string, Deployed>) {
  const deleted: string[] = []
  const aws: RunAws = (service, command = '', ...args) => {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
    const name = option('--function-name')
    const found = functions[name]
    if (service !== 'lambda' || found === undefined)
      throw new Error(
        `aws lambda ${command} ended with 254: An error occurred (ResourceNotFoundException) when calling`,
      )
    if (command === 'list-versions-by-function')
      return JSON.stringify({ Versions: found.versions.map((Version) => ({ Version })) })
    if (command === 'list-aliases') {
      const weights = found.canary && { RoutingConfig: { AdditionalVersionWeights: { [found.canary]: 0.1 } } }
      return JSON.stringify({ Aliases: [{ FunctionVersion: found.live, ...weights }] })
    }
    if (command !== 'delete-function') throw new Error(`no answer to ${command}`)
    deleted.push(`${name}:${option('--qualifier')}`)
    return ''
  }
  return { aws, deleted }
}

describe('After a release', () => {
  const prod = stageWith({}, 'prod')

  it('the three newest versions of each function stay, in the order of their numbers', () => {
    const { aws, deleted } = awsOf({
      'prod-users-me': { versions: ['$LATEST', '8', '9', '10', '11', '7'], live: '11' },
      'prod-release-check': { versions: ['$LATEST', '1', '2', '3'], live: '3' },
    })
    expect(pruneVersions(prod, aws)).toEqual(['prod-users-me:8', 'prod-users-me:7'])
    expect(deleted).toEqual(['prod-users-me:8', 'prod-users-me:7'])
  })

  it('what an alias leads to stays, however old, with its share of a canary', () => {
    const { aws, deleted } = awsOf({
      'prod-users-me': { versions: ['$LATEST', '1', '2', '3', '4', '5', '6'], live: '1', canary: '2' },
    })
    pruneVersions(prod, aws)
    expect(deleted).toEqual(['prod-users-me:3'])
  })

  it('$LATEST is never deleted, which would delete the function', () => {
    const { aws, deleted } = awsOf({ 'prod-users-me': { versions: ['$LATEST'], live: '1' } })
    pruneVersions(prod, aws)
    expect(deleted).toEqual([])
  })

  it('a refusal of AWS is no success', () => {
    const denied: RunAws = () => {
      throw new Error('aws lambda list-versions-by-function ended with 254: An error occurred (AccessDeniedException)')
    }
    expect(() => pruneVersions(prod, denied)).toThrow('AccessDenied')
  })
})
