import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { App, type Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { ServiceStack, type ServiceStackProps } from '../../infra/aws/serviceStack.ts'

const list = (value: unknown) => (Array.isArray(value) ? value : [value])
const condition = z.record(z.string(), z.record(z.string(), z.string()))

/** A reference as one reads it: `Ref` is the logical id, `Fn::GetAtt` is `id.Attribute`, `Fn::Join` is joined. */
export const reference: z.ZodType<string> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
    z.object({ 'Fn::GetAtt': z.array(z.string()) }).transform((get) => get['Fn::GetAtt'].join('.')),
    z
      .object({ 'Fn::Join': z.tuple([z.string(), z.array(reference)]) })
      .transform(({ 'Fn::Join': [separator, parts] }) => parts.join(separator)),
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
  LoggingConfig: z.object({ LogFormat: z.string(), LogGroup: reference }),
  Environment: z.object({ Variables: z.record(z.string(), reference) }).optional(),
})

const policy = z.object({
  Roles: z.array(reference),
  PolicyDocument: z.object({ Statement: z.array(statement) }),
})

/** The context of cdk.json: what a deployment is synthesized with. */
export const { context } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')))

/** Readers of a stack's template. */
function readTemplate(stack: Stack) {
  const template = Template.fromStack(stack)

  /** Every resource of a type as `schema` reads it, its logical id and policies included. */
  function resources<Schema extends z.ZodType>(type: string, schema: Schema) {
    const resource = z.object({ Properties: schema, DeletionPolicy: z.string().optional() })
    return Object.entries(template.findResources(type)).map(([id, found]) => ({ id, ...resource.parse(found) }))
  }

  const lambdas = resources('AWS::Lambda::Function', lambda).map(({ id, Properties }) => ({ id, ...Properties }))
  const policies = resources('AWS::IAM::Policy', policy).map(({ Properties }) => Properties)
  const outputs = z.record(z.string(), z.object({ Value: reference })).parse(template.findOutputs('*'))

  return {
    template,
    resources,
    lambdas,
    /** The function of this name. */
    lambda(name: string) {
      const found = lambdas.find(({ FunctionName }) => FunctionName === name)
      if (found === undefined) throw new Error(`The template has no function ${name}`)
      return found
    },
    /** Everything a role is allowed, in no order that matters. */
    statements(role: string): Statement[] {
      const id = role.replace(/\.Arn$/, '')
      return policies
        .filter(({ Roles }) => Roles.includes(id))
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    },
    /** What an output refers to. */
    output(name: string): string {
      const value = outputs[name]?.Value
      if (value === undefined) throw new Error(`The template has no output ${name}`)
      return value
    },
  }
}

/** A directory of code. What is in a function's code is in the template by its hash only. */
export const codeDirectory = join(import.meta.dirname, '..', '..', 'infra', 'aws', 'tokenPublicKey')

/** The template of the stack that `build` adds to an app with the context of cdk.json. */
export function synthesize(build: (app: App) => Stack) {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk.out-'))
  try {
    return readTemplate(build(new App({ context, outdir })))
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

/** The template of the service stack. */
export function synthesizeService(choices: Partial<ServiceStackProps> = {}) {
  const props = { codeDirectory: () => codeDirectory, audience: 'console', ...choices }
  return synthesize((app) => new ServiceStack(app, 'Console', props))
}
