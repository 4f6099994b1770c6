import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { App, Validations } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { stageNamed } from '../data/stages.ts'
import { entryPoints } from './bundle/entryPoints.ts'
import { bundle } from './bundle.ts'
import { consoleStacks } from './consoleStacks.ts'
import { rulePacks } from './rulePacks.ts'

const root = join(import.meta.dirname, '..', '..')
const cdkJson = z.object({ output: z.string(), context: z.record(z.string(), z.unknown()) })

const { values } = parseArgs({ options: { stage: { type: 'string' } } })
// The CDK's own command line passes the context and the directory on; without it they are read here.
const { output, context } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')))
const app = new App({ context, outdir: process.env.CDK_OUTDIR ?? join(root, output) })
const stage = stageNamed(values.stage ?? app.node.tryGetContext('stage'))

const codeDirectory = await bundle(entryPoints, join(app.outdir, 'bundles'))

consoleStacks(app, stage, codeDirectory)
Validations.of(app).addPlugins(...rulePacks(app))
app.synth()
process.stdout.write(`Synthesized ${stage.name} to ${relative(process.cwd(), app.outdir) || '.'}\n`)
