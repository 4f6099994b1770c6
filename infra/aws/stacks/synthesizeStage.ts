import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, Validations } from 'aws-cdk-lib/core'
import { AwsSolutionsChecks, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag'
import * as z from 'zod'
import type { StageSettings } from '../../data/stages.ts'
import { bundle } from '../bundle/bundle.ts'
import { entryPoints } from '../bundle/entryPoints.ts'
import { domainOf } from '../bundle/lambdaEndpoint.ts'
import { consoleStacks } from './consoleStacks.ts'

/** Writes the templates and bundles of a stage to the app's directory. Throws if a rule pack finds something. */
export async function synthesizeStage(app: App, stage: StageSettings): Promise<void> {
  requireKnownRegion(stage)
  const codeDirectory = await bundle(entryPoints, join(app.outdir, 'bundles'))
  consoleStacks(app, stage, codeDirectory)
  Validations.of(app).addPlugins(...rulePacks(app))
  app.synth()
}

/**
 * The bundles know the endpoints of AWS's regions by their domain (`lambdaEndpoint.ts`), and those outside `amazonaws.com` have others.
 * @throws Error for a stage in such a region, for example of the European Sovereign Cloud
 */
export function requireKnownRegion({ name, region }: Pick<StageSettings, 'name' | 'region'>): void {
  if (region !== undefined && domainOf(region) === undefined)
    throw new Error(
      `${name} is in ${region}, whose endpoints the bundles do not know: add its domain to infra/aws/bundle/lambdaEndpoint.ts`,
    )
}

/** The rule packs for every stage. If they find something, the synthesis fails. */
export function rulePacks(app: App) {
  return [new AwsSolutionsChecks(app), new ServerlessChecks(app), new NIST80053R5Checks(app)]
}

const root = join(import.meta.dirname, '..', '..', '..')
const cdkJson = z.object({ output: z.string(), context: z.record(z.string(), z.unknown()) })

/** The output directory and the context of cdk.json. The CDK's own command line passes them on by itself. */
export function cdkSettings(): { readonly outdir: string; readonly context: Record<string, unknown> } {
  const { output, context } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')))
  return { outdir: join(root, output), context }
}
