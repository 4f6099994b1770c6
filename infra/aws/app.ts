import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { App } from 'aws-cdk-lib/core'
import { stageNamed } from '../data/stages.ts'
import { cdkSettings, synthesizeStage } from './stacks/synthesizeStage.ts'

const { values } = parseArgs({ options: { stage: { type: 'string' } } })
// The CDK's own command line passes on the context and the directory. If it is not used, read them here.
const { outdir, context } = cdkSettings()
const app = new App({ context, outdir: process.env.CDK_OUTDIR ?? outdir })
const stage = stageNamed(values.stage ?? app.node.tryGetContext('stage'))

await synthesizeStage(app, stage)
process.stdout.write(`Synthesized ${stage.name} to ${relative(process.cwd(), app.outdir) || '.'}\n`)
