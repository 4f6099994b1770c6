import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App, type Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { consoleStacks } from '../../../../infra/aws/stacks/consoleStacks.ts'
import { rulePacks } from '../../../../infra/aws/stacks/synthesizeStage.ts'
import type { StageSettings } from '../../../../infra/data/stages.ts'
import { anyTemplate, readerOf } from './templates.ts'

/** The context of cdk.json: what a deployment is synthesized with. */
export const { context } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../../../cdk.json', import.meta.url), 'utf8')))

/** A directory of code. What is in a function's code is in the template by its hash only. */
export const codeDirectory = fileURLToPath(
  new URL('../../../../infra/aws/constructs/data/tokenPublicKey', import.meta.url),
)

// The CDK's own rules take ten times as long as the rest: only stages.deep.test.ts runs them.
// Nor is the tree of constructs looked at, or where each was made.
const cheaply = { context, builtinCloudFormationValidation: false, treeMetadata: false, stackTraces: false }

/** What a deployment of the stacks that `build` adds to an app with the context of cdk.json is: each stack's name, and its template as written. */
function assemble<Stacks extends Partial<Record<string, Stack>>>(build: (app: App) => Stacks) {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk.out-'))
  try {
    const app = new App({ outdir, ...cheaply })
    const stacks = build(app)
    const templates = app
      .synth()
      .stacks.map(({ stackName, template }) => [stackName, anyTemplate.parse(template)] as const)
    return { app, stacks, templates }
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

/** The templates of the stacks that `build` adds to an app with the context of cdk.json. */
export function synthesize<Name extends string>(build: (app: App) => Record<Name, Stack>) {
  const { app, stacks, templates } = assemble(build)
  const read = readerOf(templates)
  return { app, stacks, read: (name: Name) => read(stacks[name].stackName) }
}

/** A stage's stacks, and the app they are in. */
export function buildStage(stage: StageSettings) {
  return assemble((scope) => consoleStacks(scope, stage, () => codeDirectory))
}

/** What the rule packs find in a stage: `<rule> at <construct>`. Writes no template, which would take twice as long. */
export function findingsOf(stage: StageSettings): string[] {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk.out-'))
  try {
    const app = new App({ outdir, ...cheaply })
    consoleStacks(app, stage, () => codeDirectory)
    return rulePacks(app).flatMap((pack) =>
      pack
        .validateScope(app)
        .violations.flatMap(({ ruleName, violatingResources }) =>
          violatingResources.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
        ),
    )
  } finally {
    rmSync(outdir, { recursive: true })
  }
}
