/** A stack as CloudFormation has it: the logical ids that were made, and its outputs. */
export interface DeployedStack {
  readonly made: ReadonlySet<string>
  readonly outputs: ReadonlyMap<string, string>
}

/** Reads a stack by the query API of a CloudFormation that checks no signature. Throws where there is no such stack. */
export async function readStack(url: string, StackName: string): Promise<DeployedStack> {
  const ask = async (Action: string) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/cloudformation/aws4_request' },
      body: new URLSearchParams({ Action, StackName, Version: '2010-05-15' }),
    })
    if (!answer.ok) throw new Error(`${Action} of ${StackName}: ${answer.status}`)
    return answer.text()
  }
  const [resources, stack] = [await ask('ListStackResources'), await ask('DescribeStacks')]
  const outputs = [...stack.matchAll(/<OutputKey>(.*?)<\/OutputKey>\s*<OutputValue>(.*?)<\/OutputValue>/gs)]
  return {
    made: new Set([...resources.matchAll(/<LogicalResourceId>(.*?)<\/LogicalResourceId>/g)].map(([, id = '']) => id)),
    outputs: new Map(outputs.map(([, key = '', value = '']) => [key, value])),
  }
}
