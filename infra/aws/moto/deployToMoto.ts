import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib/core'
import { stackNames } from '../stacks/stackNames.ts'
import { cdkSettings, synthesizeStage } from '../stacks/synthesizeStage.ts'
import { fullStage } from './fullStage.ts'
import { startMoto } from './motoServer.ts'
import { pythonTools } from './pythonTools.ts'
import { deployedTemplate, reduceTemplate } from './reduceTemplate.ts'
import { type DeployedCount, summaryOf } from './summaryOf.ts'

/**
 * `npm run deploy:moto`: deploys `fullStage` with its assets to moto's CloudFormation, using the CDK's command line. It leaves out the resource
 * types that moto does not know, and lists them by stack. The run fails if any other resource is not made.
 */
const root = join(import.meta.dirname, '..', '..', '..')
const programs = toolsOrExit()
const folder = mkdtempSync(join(tmpdir(), 'moto-'))
const log = join(folder, 'moto.log')
const assembly = join(folder, 'cdk.out')
const moto = await startMoto(programs, log)
const environment = {
  ...process.env,
  AWS_ENDPOINT_URL: moto.url,
  // The address to read templates from: moto recognizes its own address only by this name.
  AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: moto.url.replace('127.0.0.1', 'localhost'),
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** Runs a program. If it fails, throws with its output. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: environment, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${program} ${args.slice(0, 3).join(' ')}\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`)
  return stdout
}

// Run outside the project: if the CDK finds cdk.json, it runs its app at each call.
const cdk = (...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args, '--no-notices'], folder)

const supportedOf = (types: readonly string[]) => {
  const program =
    'import sys, moto.cloudformation.parsing as parsing\n' +
    "print('\\n'.join(t for t in sys.argv[1:] if '::' in t and parsing.resource_class_from_type(t)))"
  return new Set(run(join(programs, 'python'), ['-c', program, ...types], folder).split('\n'))
}

/** Resources that a function of ours would have to create: moto runs functions in Docker. */
const isCustom = (type: string) => type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource'

async function deployAll(): Promise<DeployedCount[]> {
  await synthesizeStage(new App({ context: cdkSettings().context, outdir: assembly }), fullStage)
  unprotect(join(assembly, 'manifest.json'))
  cdk('bootstrap', 'aws://123456789012/us-east-1')
  const deployed = new Map<string, DeployedStack>()
  const counts: DeployedCount[] = []
  for (const name of Object.values(stackNames(fullStage))) {
    const file = join(assembly, `${name}.template.json`)
    const given = deployedTemplate.parse(JSON.parse(readFileSync(file, 'utf8')))
    const types = [...new Set(Object.values(given.Resources).map(({ Type }) => Type))]
    const supported = supportedOf(types)
    const { template, left } = reduceTemplate(given, {
      isSupported: (type) => supported.has(type) && !isCustom(type),
      outputOf: (stackName, outputName) => deployed.get(stackName)?.outputs.get(outputName),
    })
    writeFileSync(file, JSON.stringify(template))
    const wanted = Object.keys(template.Resources)
    if (wanted.length === 0) {
      counts.push({ deployed: 0, notMade: 0, unknown: left.length })
      say(`${name}: moto knows nothing of it`)
      continue
    }
    cdk('deploy', name, '--app', assembly, '--exclusively', '--require-approval', 'never')
    const stack = await readStack(name)
    deployed.set(name, stack)
    const failed = wanted.filter((id) => !stack.made.has(id))
    counts.push({ deployed: wanted.length - failed.length, notMade: failed.length, unknown: left.length })
    say(`${name}: ${wanted.length - failed.length} of ${wanted.length + left.length} resources deployed`)
    for (const [type, some] of Object.entries(Object.groupBy(left, (one) => one.type)))
      say(`  moto does not know ${type}: ${some?.length}`)
    for (const id of failed) say(`  NOT MADE: ${id} (${given.Resources[id]?.Type})`)
  }
  return counts
}

/** A stack in CloudFormation: the logical ids that were made, and its outputs. */
interface DeployedStack {
  readonly made: ReadonlySet<string>
  readonly outputs: ReadonlyMap<string, string>
}

/** Reads a stack by the query API of a CloudFormation that checks no signature. Throws if there is no such stack. */
async function readStack(StackName: string): Promise<DeployedStack> {
  const ask = async (Action: string) => {
    const answer = await fetch(moto.url, {
      method: 'POST',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/cloudformation/aws4_request' },
      body: new URLSearchParams({ Action, StackName, Version: '2010-05-15' }),
    })
    if (!answer.ok) throw new Error(`${Action} of ${StackName}: ${answer.status}`)
    return answer.text()
  }
  const [resources, stack] = [await ask('ListStackResources'), await ask('DescribeStacks')]
  const outputs = [...stack.matchAll(/<OutputKey>(.*?)<\/OutputKey>\s*<OutputValue>(.*?)<\/OutputValue>/gs)]
  return {
    made: new Set([...resources.matchAll(/<LogicalResourceId>(.*?)<\/LogicalResourceId>/g)].map(([, id = '']) => id)),
    outputs: new Map(outputs.map(([, key = '', value = '']) => [key, value])),
  }
}

/** The folder of moto's programs. If Python or the registry is missing, says so and ends. */
function toolsOrExit(): string {
  try {
    return pythonTools()
  } catch (error) {
    process.stderr.write(`moto needs Python 3 with venv, and PyPI: ${error instanceof Error ? error.message : error}\n`)
    return process.exit(1)
  }
}

/** moto cannot protect a stack from its deletion. */
function unprotect(file: string): void {
  const without = (key: string, value: unknown) => (key === 'terminationProtection' ? undefined : value)
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'), without)))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  const counts = await deployAll()
  say(summaryOf(counts))
  process.exitCode = counts.some(({ notMade }) => notMade > 0) ? 1 : 0
} catch (error) {
  const faults = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /^\S*(Error|Exception)\b/.test(line))
  process.stderr.write(`${error instanceof Error ? error.message : error}\nmoto: ${faults.slice(-5).join('\n')}\n`)
  process.exitCode = 1
} finally {
  moto.close()
  rmSync(folder, { recursive: true })
}
