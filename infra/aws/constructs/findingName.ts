import { Stack } from 'aws-cdk-lib/core'
import type { IConstruct } from 'constructs'
import * as z from 'zod'

const attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
const part = z.union([
  z.string(),
  z.object({ Ref: z.string() }).transform(({ Ref }) => `<${Ref}>`),
  attribute.transform((get) => `<${get['Fn::GetAtt'].join('.')}>`),
])
const joined = z
  .object({ 'Fn::Join': z.tuple([z.literal(''), z.array(part)]) })
  .transform((join) => join['Fn::Join'][1].join(''))

/** An ARN as the rule packs write it in a finding: `arn:<AWS::Partition>:...`. Throws if the ARN is built in another way. */
export function findingName(scope: IConstruct, arn: string): string {
  return z.union([joined, part]).parse(Stack.of(scope).resolve(arn))
}
