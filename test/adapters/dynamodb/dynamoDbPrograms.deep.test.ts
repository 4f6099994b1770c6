import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type DynamoDbServer, startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { createClient } from './dynamoDbTestBed.ts'

/** A platform for which npm installs no binary. */
const platform = 'plan9-mips'
const { resolve } = createRequire(import.meta.url)
const binary = join(dirname(resolve('@dynoxide/linux-x64/package.json')), 'dynoxide')
const { version } = z.object({ version: z.string() }).parse(resolveJson('@dynoxide/linux-x64/package.json'))

function resolveJson(path: string): unknown {
  return createRequire(import.meta.url)(path)
}

let folder: string
/** A `PATH` of its own: what is not linked or written there is not installed. */
let bin: string
const opened: (() => unknown)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'))
  bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink('/bin/sh', join(bin, 'sh'))
})
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
  await rm(folder, { recursive: true })
})

async function start(env: NodeJS.ProcessEnv, dataDir?: string): Promise<DynamoDbServer> {
  const server = await startDynamoDb({ platform, env, ...(dataDir !== undefined && { dataDir }) })
  opened.push(() => server.close())
  return server
}

async function tablesOf({ endpoint }: DynamoDbServer) {
  const client = createClient(endpoint)
  const { TableNames } = await client.send(new ListTablesCommand())
  client.destroy()
  return TableNames
}

/** Puts a program on the `PATH` that writes its arguments down and serves DynamoDB at the port that `portIn` finds in them. */
async function stub(name: string, portIn: string): Promise<() => Promise<string>> {
  const given = join(folder, `${name}.txt`)
  const script = `#!/bin/sh\nprintf '%s' "$*" > ${given}\nport='${portIn}'\n${PORT_OF}\nexec ${binary} --port "$port"\n`
  await writeFile(join(bin, name), script, { mode: 0o755 })
  return () => readFile(given, 'utf8')
}

/** Shell: the first argument that the pattern in `$port` matches, without what is around the number. */
const PORT_OF = `for argument; do
  case "$port:$before:$argument" in
    after:-port:*) port=$argument ;;
    published:*:127.0.0.1:*:8000) port=\${argument#127.0.0.1:}; port=\${port%:8000} ;;
  esac
  before=$argument
done`

describe('On a platform without a bundled DynamoDB', () => {
  describe('Given a registry that has dynoxide', () => {
    it('starts the version that is locked by npx, and ends it with its children', async () => {
      const registry = await serveDynoxide(folder)
      opened.push(registry.close)
      const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') }
      const server = await start(env)
      expect(registry.asked).toContain('/dynoxide')
      expect(await tablesOf(server)).toEqual([])
      await server.close()
      await expect(fetch(server.endpoint)).rejects.toThrow()
    })
  })

  describe('Given a folder with DynamoDB Local', () => {
    it('starts that with Java, in memory', async () => {
      const given = await stub('java', 'after')
      const server = await start({ PATH: bin, DYNAMODB_LOCAL_DIR: '/opt/dynamodb' })
      expect(await tablesOf(server)).toEqual([])
      const { port } = new URL(server.endpoint)
      expect(await given()).toBe(
        '-Djava.library.path=/opt/dynamodb/DynamoDBLocal_lib -classpath /opt/dynamodb/DynamoDBLocal.jar:/opt/dynamodb/DynamoDBLocal_lib/* ' +
          `com.amazonaws.services.dynamodbv2.local.main.ServerRunner -port ${port} -sharedDb -inMemory`,
      )
    })

    it('keeps its data in dataDir', async () => {
      const given = await stub('java', 'after')
      const dataDir = join(folder, 'data')
      await start({ PATH: bin, DYNAMODB_LOCAL_DIR: '/opt/dynamodb' }, dataDir)
      expect(await given()).toContain(` -sharedDb -dbPath ${dataDir}`)
    })
  })

  describe('Given Docker', () => {
    it('starts DynamoDB Local in a container, in memory', async () => {
      const given = await stub('docker', 'published')
      const server = await start({ PATH: bin })
      expect(await tablesOf(server)).toEqual([])
      const { port } = new URL(server.endpoint)
      expect(await given()).toBe(
        `run --rm --init --publish 127.0.0.1:${port}:8000 --env DDB_LOCAL_TELEMETRY=0 amazon/dynamodb-local:2.6.1 -jar DynamoDBLocal.jar -sharedDb -inMemory`,
      )
    })

    it('keeps its data in dataDir, as files of the user', async () => {
      const given = await stub('docker', 'published')
      const dataDir = join(folder, 'data')
      await start({ PATH: bin }, dataDir)
      expect(await given()).toContain(` --volume ${dataDir}:/data --user ${process.getuid?.()}:${process.getgid?.()} `)
      expect(await given()).toMatch(/ -sharedDb -dbPath \/data$/)
    })
  })

  describe('Given none of them', () => {
    it('says in one line what failed and what to install', async () => {
      const failed = start({ PATH: bin, DYNAMODB_LOCAL_DIR: '/opt/dynamodb' })
      await expect(failed).rejects.toThrow(
        /^No DynamoDB for plan9-mips, .*npx --yes dynoxide@[\d.]+: .*127.*; DynamoDB Local in \/opt\/dynamodb: .*java.*; docker run amazon\/dynamodb-local:2\.6\.1: .*docker.* Set DYNAMODB_LOCAL_DIR .* AWS_ENDPOINT_URL_DYNAMODB .*$/,
      )
    })
  })

  it('imports organizations with dynoxide only', async () => {
    await stub('docker', 'published')
    const imported = { source: folder, schema: join(folder, 'schema.json') }
    await expect(startDynamoDb({ platform, env: { PATH: bin }, imported })).rejects.toThrow(
      'DynamoDB Local cannot import an export of tables',
    )
  })
})

/** A registry with one package, whose program starts the binary of this machine as a child. */
async function serveDynoxide(parent: string) {
  const folder = join(parent, 'dynoxide')
  await mkdir(folder)
  const manifest = { name: 'dynoxide', version, bin: { dynoxide: 'dynoxide.js' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const program = `require('node:child_process').spawnSync('${binary}', process.argv.slice(2), { stdio: 'inherit' })`
  await writeFile(join(folder, 'dynoxide.js'), `#!/usr/bin/env node\n${program}\n`)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: folder })
  const archive = await readFile(join(parent, `dynoxide-${version}.tgz`))

  const asked: string[] = []
  const server = createServer(({ url = '', headers: { host } }, response) => {
    asked.push(url)
    if (url.endsWith('.tgz')) response.end(archive)
    else if (url !== '/dynoxide') response.writeHead(404).end()
    else {
      const dist = { tarball: `http://${host}/dynoxide.tgz` }
      const versions = { [version]: { ...manifest, dist } }
      response.end(JSON.stringify({ name: 'dynoxide', 'dist-tags': { latest: version }, versions }))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() }
}
