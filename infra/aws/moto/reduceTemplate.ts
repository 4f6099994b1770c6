import * as z from 'zod'

export const deployedTemplate = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string() })),
})
type DeployedTemplate = z.infer<typeof deployedTemplate>

interface Emulated {
  readonly isSupported: (resourceType: string) => boolean
  /** An output of a deployed stack; undefined if it is missing. */
  readonly outputOf: (stackName: string, outputName: string) => string | undefined
}

/** A template without the resources that an emulator does not support, and the list of those. */
export interface Reduced {
  readonly template: DeployedTemplate
  readonly left: readonly { readonly id: string; readonly type: string }[]
}

const reference = z.strictObject({ Ref: z.string() })

const attribute = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
const output = z.strictObject({
  'Fn::GetStackOutput': z.looseObject({ StackName: z.string(), OutputName: z.string() }),
})
const dependent = z.looseObject({ DependsOn: z.union([z.string(), z.array(z.string())]) })

const ofFunctions = ['AWS::Lambda::Permission', 'AWS::Lambda::EventSourceMapping']
const ofFunction = z.looseObject({ FunctionName: z.unknown() })

/** The logical ids to which a value refers anywhere. */
function namesIn(value: unknown): string[] {
  const named = reference.safeParse(value).data?.Ref ?? attribute.safeParse(value).data?.['Fn::GetAtt'][0]
  if (named !== undefined) return [named]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}

/**
 * Removes the resources whose types the emulator does not support. Replaces references to them, and to outputs of other stacks, with texts. If a
 * resource has no such reference, it does not change.
 */
export function reduceTemplate(given: DeployedTemplate, { isSupported, outputOf }: Emulated): Reduced {
  const resources = Object.entries(given.Resources)
  const unknown = resources.flatMap(([id, { Type }]) => (isSupported(Type) ? [] : [{ id, type: Type }]))
  // An emulator refuses these if the alias that they are for is missing.
  const ofUnknown = resources.flatMap(([id, { Type, Properties }]) => {
    const named = ofFunctions.includes(Type) ? namesIn(ofFunction.safeParse(Properties).data?.FunctionName) : []
    const isOfUnknown = unknown.some((one) => named.includes(one.id))
    return isOfUnknown ? [{ id, type: `${Type} for one of these` }] : []
  })
  const left = [...unknown, ...ofUnknown]
  const isLeft = (id: string) => left.some((one) => one.id === id)
  const replaced = (_: string, value: unknown): unknown => {
    const named = reference.safeParse(value).data?.Ref
    if (named !== undefined && isLeft(named)) return notThere(named)
    const [id, name] = attribute.safeParse(value).data?.['Fn::GetAtt'] ?? []
    if (id !== undefined && isLeft(id)) return notThere(`${id}/${name}`)
    const other = output.safeParse(value).data?.['Fn::GetStackOutput']
    if (other) return outputOf(other.StackName, other.OutputName) ?? notThere(`${other.StackName}/${other.OutputName}`)
    const { success, data } = dependent.safeParse(value)
    return success ? { ...data, DependsOn: [data.DependsOn].flat().filter((one) => !isLeft(one)) } : value
  }
  const Resources = Object.fromEntries(Object.entries(given.Resources).filter(([id]) => !isLeft(id)))
  return { template: deployedTemplate.parse(JSON.parse(JSON.stringify({ ...given, Resources }, replaced))), left }
}

/** A text in the shape of an ARN. Some properties need it: `Ref` of an alias is an ARN, and EventBridge refuses a target if it is not. */
function notThere(name: string): string {
  return `arn:aws:sts:us-east-1:123456789012:${name}`
}
