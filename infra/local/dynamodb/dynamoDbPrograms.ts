import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve as absolute, delimiter, dirname, join } from 'node:path'
import * as z from 'zod'

/** What to serve. */
export interface ServeOptions {
  readonly port: number
  /** A folder for the data; in memory if omitted. */
  readonly dataDir?: string | undefined
  /** Items to start with, in memory: a folder with a DynamoDB export, and the file that describes its tables. */
  readonly imported?: { readonly source: string; readonly schema: string } | undefined
}

/** A program that serves DynamoDB's API on 127.0.0.1. */
export interface DynamoDbProgram {
  /** Its name in an error message. */
  readonly name: string
  /** A path, or a name of the `PATH`. */
  readonly command: string
  argumentsFor(options: ServeOptions): readonly string[]
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Whether the process that serves is not `command` itself but a child of it, so that both must be ended. */
  readonly hasChildren: boolean
  /** The line on stderr that says that it listens; undefined for a program that prints none. */
  readonly readyLine: string | undefined
  /** How long it may take to start: a download at first, for some. */
  readonly startMs: number
}

const { resolve: resolvePackage } = createRequire(import.meta.url)

/** The package of another platform has the version of the package that is locked. */
const { optionalDependencies } = z
  .object({ optionalDependencies: z.object({ '@dynoxide/linux-x64': z.string() }) })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')))
const dynoxide = `dynoxide@${optionalDependencies['@dynoxide/linux-x64']}`

/** Of AWS, in a container. */
const image = 'amazon/dynamodb-local:2.6.1'

/** Long enough even when many stacks start at once on a small machine. */
const START_MS = 30_000
const DOWNLOAD_AND_START_MS = 180_000

/** A platform for which npm has installed a binary uses that; others try these programs in turn. */
export function dynamoDbPrograms(
  platform: string,
  { DYNAMODB_LOCAL_DIR: folder }: NodeJS.ProcessEnv,
): readonly DynamoDbProgram[] {
  const binary = bundledBinary(platform)
  if (binary !== undefined) return [{ ...dynoxideProgram, name: binary, command: binary }]
  return [npx, ...(folder ? [localFolder(absolute(folder))] : []), docker]
}

/** The binary of an optional dependency, which npm installs only if it is built for the platform. */
function bundledBinary(platform: string): string | undefined {
  try {
    const folder = dirname(resolvePackage(`@dynoxide/${platform}/package.json`))
    return ['dynoxide', 'dynoxide.exe'].map((name) => join(folder, name)).find(existsSync)
  } catch {
    return undefined
  }
}

const dynoxideProgram = {
  argumentsFor: ({ port, dataDir, imported }: ServeOptions) => [
    ...(imported ? ['import', '--serve', '--source', imported.source, '--schema', imported.schema] : []),
    ...['--port', `${port}`],
    ...(dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')]),
  ],
  env: {},
  hasChildren: false,
  readyLine: 'listening on',
  startMs: START_MS,
}

const npx: DynamoDbProgram = {
  ...dynoxideProgram,
  name: `npx --yes ${dynoxide}`,
  command: 'npx',
  argumentsFor: (options) => ['--yes', dynoxide, ...dynoxideProgram.argumentsFor(options)],
  // Without a network, npm's own settings would take over a minute to say so.
  env: { npm_config_loglevel: 'error', npm_config_fetch_retries: '1', npm_config_fetch_retry_mintimeout: '1000' },
  hasChildren: true,
  startMs: DOWNLOAD_AND_START_MS,
}

/** DynamoDB Local as AWS's archive has it. It needs Java. */
function localFolder(folder: string): DynamoDbProgram {
  const libraries = join(folder, 'DynamoDBLocal_lib')
  return {
    name: `DynamoDB Local in ${folder}`,
    command: 'java',
    argumentsFor: ({ port, dataDir, imported }) => [
      `-Djava.library.path=${libraries}`,
      ...['-classpath', [join(folder, 'DynamoDBLocal.jar'), join(libraries, '*')].join(delimiter)],
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      ...['-port', `${port}`],
      ...storageOfLocal(dataDir, imported),
    ],
    // It would report its use to AWS, and keep a file about that in its working directory.
    env: { DDB_LOCAL_TELEMETRY: '0' },
    hasChildren: false,
    readyLine: undefined,
    startMs: START_MS,
  }
}

const docker: DynamoDbProgram = {
  name: `docker run ${image}`,
  command: 'docker',
  argumentsFor: ({ port, dataDir, imported }) => [
    ...['run', '--rm', '--init', '--publish', `127.0.0.1:${port}:8000`, '--env', 'DDB_LOCAL_TELEMETRY=0'],
    ...(dataDir === undefined ? [] : ['--volume', `${dataDir}:/data`, ...asThisUser()]),
    ...[image, '-jar', 'DynamoDBLocal.jar'],
    ...storageOfLocal(dataDir && '/data', imported),
  ],
  env: {},
  hasChildren: false,
  readyLine: undefined,
  startMs: DOWNLOAD_AND_START_MS,
}

/** `-sharedDb`: the same tables for every access key and region. */
function storageOfLocal(dataDir: string | undefined, imported: ServeOptions['imported']): string[] {
  if (imported) throw new Error('DynamoDB Local cannot import an export of tables')
  return ['-sharedDb', ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir])]
}

/** The files then belong to the user, not to the image's. Docker Desktop on Windows knows no users. */
function asThisUser(): string[] {
  return process.getuid && process.getgid ? ['--user', `${process.getuid()}:${process.getgid()}`] : []
}
