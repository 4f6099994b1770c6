import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { App, type Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { consoleStacks, stackNames } from '../../infra/aws/consoleStacks.ts'
import { type StageSettings, stageSettings, stages } from '../../infra/data/stages.ts'

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

const anyTemplate = z.looseObject({ Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}) })
type AnyTemplate = z.infer<typeof anyTemplate>
const stackOutput = z.strictObject({
  'Fn::GetStackOutput': z.object({ StackName: z.string(), OutputName: z.string() }),
})

/** The context of cdk.json: what a deployment is synthesized with. */
export const { context } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')))

/** A directory of code. What is in a function's code is in the template by its hash only. */
export const codeDirectory = join(import.meta.dirname, '..', '..', 'infra', 'aws', 'tokenPublicKey')

/** A stage with other settings. Throws what the settings' schema throws. */
export function stageWith(changes: Partial<StageSettings> = {}, name = 'dev'): StageSettings {
  return stageSettings.parse({ ...stages[name], ...changes })
}

/** Readers of a stack's template. */
export type ReadTemplate = ReturnType<typeof readTemplate>

function readTemplate(json: AnyTemplate, written: unknown) {
  const template = Template.fromJSON(json)

  /** Every resource of a type as `schema` reads it, its logical id and policies included. */
  function resources<Schema extends z.ZodType>(type: string, schema: Schema) {
    const resource = z.object({ Properties: schema, DeletionPolicy: z.string().optional() })
    return Object.entries(template.findResources(type)).map(([id, found]) => ({ id, ...resource.parse(found) }))
  }

  const lambdas = resources('AWS::Lambda::Function', lambda).map(({ id, Properties }) => ({ id, ...Properties }))
  const roles = resources('AWS::IAM::Role', role)

  return {
    json,
    /** As CloudFormation gets it, references to other stacks included. */
    written,
    template,
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

/** What a deployment of the stacks that `build` adds to an app with the context of cdk.json is: each stack's name, and its template as written. */
function assemble<Name extends string>(build: (app: App) => Record<Name, Stack>) {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk.out-'))
  try {
    // The CDK's own rules take ten times as long as the rest: only stages.test.ts runs them.
    const app = new App({ context, outdir, builtinCloudFormationValidation: false })
    const stacks = build(app)
    const templates = app
      .synth()
      .stacks.map(({ stackName, template }) => [stackName, anyTemplate.parse(template)] as const)
    return { app, stacks, templates }
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

/** Reads stacks by their names; what one takes from another is put in its place. */
function readerOf(templates: readonly (readonly [string, AnyTemplate])[]) {
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

/** The templates of the stacks that `build` adds to an app with the context of cdk.json. */
export function synthesize<Name extends string>(build: (app: App) => Record<Name, Stack>) {
  const { app, stacks, templates } = assemble(build)
  const read = readerOf(templates)
  return { app, stacks, read: (name: Name) => read(stacks[name].stackName) }
}

/** A stage's stacks, and the app they are in. */
export function buildStage(stage: StageSettings = stageWith()) {
  return assemble((scope) => consoleStacks(scope, stage, () => codeDirectory))
}

const keptTemplates = z.array(z.tuple([z.string(), anyTemplate]))

/** Opened by the global set-up. */
const runFolder = z.string().parse(process.env.TEST_RUN_FOLDER)

/** The stage's templates, from another test file of the same run where one has asked for the same settings before. */
function templatesOf(stage: StageSettings): z.infer<typeof keptTemplates> {
  const key = createHash('sha256').update(JSON.stringify(stage)).digest('hex')
  const file = join(runFolder, `stage-${key}.json`)
  if (existsSync(file)) return keptTemplates.parse(JSON.parse(readFileSync(file, 'utf8')))
  const written = buildStage(stage).templates.map(([name, template]): [string, AnyTemplate] => [name, template])
  // Two workers may write the same file at once: each moves a whole one into its place.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(written))
  renameSync(`${file}.${process.pid}`, file)
  return written
}

/**
 * The templates of a stage's stacks. Of `service`: everything between data and observability, read as if it were one stack; which resource
 * is in which stack is not its readers' matter.
 */
export function synthesizeStage(stage: StageSettings = stageWith()) {
  const { data, observability, ...service } = stackNames(stage)
  const read = readerOf(templatesOf(stage))
  const parts = Object.entries(service).map(([name, stackName]) => [name, read(stackName)] as const)
  const first = read(data)
  const last = read(observability)
  return {
    data: first,
    service: joined(parts.map(([, part]) => part)),
    observability: last,
    /** Each by its name in `stackNames`. */
    stacks: [['data', first], ...parts, ['observability', last]] as const,
  }
}

/** Templates as one. A name must not be in two of them: the one would hide the other. */
function joined(parts: readonly ReadTemplate[]): ReadTemplate {
  const all = (key: 'Resources' | 'Outputs') => {
    const entries = parts.flatMap(({ json }) => Object.entries(z.record(z.string(), z.unknown()).parse(json[key])))
    const record = Object.fromEntries(entries)
    if (Object.keys(record).length < entries.length) throw new Error(`Two stacks have ${key} of one name`)
    return record
  }
  const json = anyTemplate.parse({ Resources: all('Resources'), Outputs: all('Outputs') })
  return readTemplate(json, json)
}
