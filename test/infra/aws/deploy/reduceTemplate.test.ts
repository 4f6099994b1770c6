import { describe, expect, it } from '@jest/globals'
import { reduceTemplate } from '../../../../infra/aws/moto/reduceTemplate.ts'

const alias = { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Function' } } }
const given = {
  Resources: {
    Function: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
    Alias: alias,
    Permission: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: { Ref: 'Alias' } } },
    Own: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: { Ref: 'Function' } } },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: {
          'Fn::Join': [':', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: 'Alias' }] }] }, 'live']],
        },
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      DependsOn: ['Alias', 'Function'],
      Properties: { Target: { Ref: 'Alias' }, Arn: { 'Fn::GetAtt': ['Alias', 'Arn'] } },
    },
    Key: {
      Type: 'AWS::KMS::Key',
      Properties: { Table: { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Table' } } },
    },
  },
}

const reduced = (outputs: Record<string, string> = {}) =>
  reduceTemplate(given, {
    isSupported: (type) => type !== 'AWS::Lambda::Alias',
    outputOf: (stackName, outputName) => outputs[`${stackName}/${outputName}`],
  })

describe('A template for an emulator', () => {
  it('is without what the emulator does not know, and what it then can neither permit nor run, and lists all', () => {
    const { template, left } = reduced()
    expect(Object.keys(template.Resources)).toEqual(['Function', 'Own', 'Rule', 'Key'])
    expect(left).toEqual([
      { id: 'Alias', type: 'AWS::Lambda::Alias' },
      { id: 'Permission', type: 'AWS::Lambda::Permission for one of these' },
      { id: 'Mapping', type: 'AWS::Lambda::EventSourceMapping for one of these' },
    ])
  })

  it('refers to nothing that is left out, and keeps every other reference', () => {
    const { Function: fn, Own, Rule } = reduced().template.Resources
    expect(fn).toEqual(given.Resources.Function)
    expect(Own).toEqual(given.Resources.Own)
    expect(Rule).toEqual({
      Type: 'AWS::Events::Rule',
      DependsOn: ['Function'],
      // EventBridge takes nothing but ARNs for targets.
      Properties: {
        Target: 'arn:aws:sts:us-east-1:123456789012:Alias',
        Arn: 'arn:aws:sts:us-east-1:123456789012:Alias/Arn',
      },
    })
  })

  it('has the outputs of stacks that are deployed, and a text for the others', () => {
    const table = (outputs?: Record<string, string>) => reduced(outputs).template.Resources.Key
    expect(table({ 'data/Table': 'accounts' })).toMatchObject({ Properties: { Table: 'accounts' } })
    expect(table()).toMatchObject({ Properties: { Table: 'arn:aws:sts:us-east-1:123456789012:data/Table' } })
  })
})
