import * as z from 'zod'

const list = (value: unknown) => (Array.isArray(value) ? value : [value])
const condition = z.record(z.string(), z.record(z.string(), z.unknown()))

/** A reference as one reads it: `Ref` is the logical id, `Fn::GetAtt` is `id.Attribute`, `Fn::Join` is joined. */
export const reference: z.ZodType<string> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
    z.object({ 'Fn::GetAtt': z.array(z.string()) }).transform((get) => get['Fn::GetAtt'].join('.')),
    z
      .object({ 'Fn::Join': z.tuple([z.string(), z.array(reference)]) })
      .transform(({ 'Fn::Join': [separator, parts] }) => parts.join(separator)),
    z
      .object({ 'Fn::Select': z.tuple([z.int(), z.object({ 'Fn::Split': z.tuple([z.string(), reference]) })]) })
      .transform(({ 'Fn::Select': [index, split] }) => `part ${index} of ${split['Fn::Split'][1]}`),
  ]),
)

const statement = z.object({
  Effect: z.literal('Allow'),
  Action: z.preprocess(list, z.array(z.string())),
  Resource: z.preprocess(list, z.array(reference)),
  Condition: condition.optional(),
})

/** One allowed statement of a role's policies. */
export type Statement = z.infer<typeof statement>

const lambda = z.object({
  FunctionName: z.string().optional(),
  Description: z.string(),
  Runtime: z.string(),
  Architectures: z.array(z.string()).optional(),
  Handler: z.string(),
  MemorySize: z.number().optional(),
  Timeout: z.number(),
  Role: reference,
  ReservedConcurrentExecutions: z.number().optional(),
  TracingConfig: z.object({ Mode: z.string() }).optional(),
  LoggingConfig: z.object({ LogFormat: z.string(), LogGroup: reference }),
  Environment: z.object({ Variables: z.record(z.string(), reference) }).optional(),
})

const role = z.object({
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) })).default([]),
})

/** A CloudFormation template, as far as every reader needs it. */
export const anyTemplate = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown().default({}) })).default({}),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
})
export type AnyTemplate = z.infer<typeof anyTemplate>
const stackOutput = z.strictObject({
  'Fn::GetStackOutput': z.object({ StackName: z.string(), OutputName: z.string() }),
})

/** Readers of a stack's template. */
export type ReadTemplate = ReturnType<typeof readTemplate>

export function readTemplate(json: AnyTemplate, written: unknown) {
  /** Every resource of a type as `schema` reads it, its logical id and policies included. */
  function resources<Schema extends z.ZodType>(type: string, schema: Schema) {
    const resource = z.object({ Properties: schema, DeletionPolicy: z.string().optional() })
    return Object.entries(json.Resources).flatMap(([id, found]) =>
      found.Type === type ? [{ id, ...resource.parse(found) }] : [],
    )
  }

  const lambdas = resources('AWS::Lambda::Function', lambda).map(({ id, Properties }) => ({ id, ...Properties }))
  const roles = resources('AWS::IAM::Role', role)

  return {
    json,
    /** As CloudFormation gets it, references to other stacks included. */
    written,
    resources,
    lambdas,
    /** The function of this name, its stage left out. */
    lambda(name: string) {
      const found = lambdas.find(({ FunctionName }) => FunctionName?.replace(/^[a-z]+-/, '') === name)
      if (found === undefined) throw new Error(`The template has no function ${name}`)
      return found
    },
    /** Everything a role is allowed, in no order that matters. */
    statements(role: string): Statement[] {
      const id = role.replace(/\.Arn$/, '')
      return roles
        .filter((found) => found.id === id)
        .flatMap(({ Properties }) => Properties.Policies)
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    },
    /** What an output refers to. */
    output(name: string): string {
      const value = json.Outputs[name]?.Value
      if (value === undefined) throw new Error(`The template has no output ${name}`)
      return reference.parse(value)
    },
  }
}

/** Reads stacks by their names; what one takes from another is put in its place. */
export function readerOf(templates: readonly (readonly [string, AnyTemplate])[]) {
  const jsons = new Map(templates)
  const inlined = (_: string, value: unknown): unknown => {
    const { success, data } = stackOutput.safeParse(value)
    if (!success) return value
    const { StackName, OutputName } = data['Fn::GetStackOutput']
    return jsons.get(StackName)?.Outputs[OutputName]?.Value
  }
  return (stackName: string): ReadTemplate => {
    const written = jsons.get(stackName)
    return readTemplate(anyTemplate.parse(JSON.parse(JSON.stringify(written, inlined))), written)
  }
}
