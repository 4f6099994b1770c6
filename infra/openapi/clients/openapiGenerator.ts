import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check, CheckContext } from './check.ts'
import { fetched, run, Unavailable } from './run.ts'

const programs = fileURLToPath(new URL('../../../test/clients/openapi-generator/', import.meta.url))

const version = '7.25.0'
const mavenCopy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

/**
 * Without the option the generator leaves out the bodies that are forms, which its Java refers to. Tests and descriptions of the client are not
 * written.
 */
const written =
  'apis,models,supportingFiles,skipFormModel=false,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'

/** A compiler of Kotlin needs more than ten minutes on a busy machine. */
const minutes = 30

/** Writes a client into `client`. `properties` are the generator's additional properties. */
async function generate({ directory, documentFile }: CheckContext, generator: string, properties: string) {
  await run('java', ['-version'], { cwd: directory })
  const jar = `org.openapitools:openapi-generator-cli:${version}`
  const copy = ['--quiet', '--batch-mode', `${mavenCopy}:copy`, `-Dartifact=${jar}`, `-DoutputDirectory=${directory}`]
  await fetched(() => run('mvn', copy, { cwd: directory }))
  const to = ['generate', '-i', documentFile, '-g', generator, '-o', 'client', '--additional-properties', properties]
  const java = ['-jar', `openapi-generator-cli-${version}.jar`, ...to, '--global-property', written]
  await run('java', java, { cwd: directory, minutes })
}

/** Puts the libraries of the project in `folder` into its `lib`. Returns them as a class path. */
async function fetchLibraries(folder: string): Promise<string> {
  const copy = ['--quiet', '--batch-mode', `${mavenCopy}:copy-dependencies`, '-DoutputDirectory=lib']
  await fetched(() => run('mvn', copy, { cwd: folder }))
  const files = await readdir(join(folder, 'lib'))
  return files.map((file) => join(folder, 'lib', file)).join(':')
}

/** Lets the compiled program buy. */
async function buy({ directory, purchase }: CheckContext, libraries: string, program: string): Promise<string> {
  const env = await purchase(directory)
  await run('java', ['-cp', `classes:${libraries}`, program], { cwd: directory, env })
  return 'generated, compiled, bought'
}

export const openapiGeneratorJava: Check = {
  name: 'openapi-generator-java',
  version,
  async run(context) {
    const { directory } = context
    const packages = 'invokerPackage=console,apiPackage=console.api,modelPackage=console.model'
    await generate(context, 'java', packages)
    const client = join(directory, 'client')
    const libraries = await fetchLibraries(client)
    const sources = await readdir(join(client, 'src/main/java'), { recursive: true })
    const files = sources.filter((file) => file.endsWith('.java')).map((file) => join(client, 'src/main/java', file))
    await writeFile(join(directory, 'sources'), files.join('\n'))
    await mkdir(join(directory, 'classes'))
    const compile = ['-nowarn', '-d', 'classes', '-cp', libraries, join(programs, 'Purchase.java'), '@sources']
    await run('javac', compile, { cwd: directory, minutes })
    return buy(context, libraries, 'Purchase')
  },
}

export const openapiGeneratorKotlin: Check = {
  name: 'openapi-generator-kotlin',
  version,
  async run(context) {
    const { directory } = context
    await generate(context, 'kotlin', 'packageName=console,serializationLibrary=gson,generateOneOfAnyOfWrappers=true')
    await copyFile(join(programs, 'pom.xml'), join(directory, 'pom.xml'))
    const libraries = await fetchLibraries(directory)
    const sources = [join(directory, 'client/src/main/kotlin'), join(programs, 'Purchase.kt')]
    const options = ['-nowarn', '-no-stdlib', '-no-reflect', '-cp', libraries, '-d', 'classes']
    const compiler = ['-Xmx2g', '-cp', libraries, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler']
    await run('java', [...compiler, ...options, ...sources], { cwd: directory, minutes })
    return buy(context, libraries, 'PurchaseKt')
  },
}

/** What generated C# needs is on NuGet alone. */
export const openapiGeneratorCsharp: Check = {
  name: 'openapi-generator-csharp',
  version,
  async run() {
    throw new Unavailable('its client needs packages of NuGet, which the machines of this project do not reach')
  },
}
