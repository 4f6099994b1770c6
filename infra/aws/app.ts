import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { App } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { manifest } from '../manifest.ts'
import { bundle } from './bundle.ts'
import { ServiceStack } from './serviceStack.ts'

const root = join(import.meta.dirname, '..', '..')
const cdkJson = z.object({ output: z.string(), context: z.record(z.string(), z.unknown()) })
const settings = z.object({ issuer: z.url({ protocol: /^https$/ }).optional(), audience: z.string().min(1) })

// The CDK's own command line passes the context and the directory on; without it they are read here.
const { output, context } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')))
const app = new App({ context, outdir: process.env.CDK_OUTDIR ?? join(root, output) })
const { issuer, audience } = settings.parse({
  issuer: app.node.tryGetContext('issuer'),
  audience: app.node.tryGetContext('audience'),
})

const handlers = Object.fromEntries(manifest.map(({ name }) => [name, join(root, 'functions', name, 'handler.ts')]))
const tokenPublicKey = join(import.meta.dirname, 'tokenPublicKey', 'handler.ts')
const codeDirectory = await bundle({ ...handlers, 'token-public-key': tokenPublicKey }, join(app.outdir, 'bundles'))

new ServiceStack(app, 'Console', { codeDirectory, audience, ...(issuer && { issuer }) })
app.synth()
process.stdout.write(`Synthesized to ${relative(process.cwd(), app.outdir) || '.'}\n`)
