import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { freePort } from '../../../infra/listenOnLoopback.ts'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { type DynamoDbServer, startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createClient } from './dynamoDbTestBed.ts'

const started: DynamoDbServer[] = []
async function start(dataDir?: string): Promise<DynamoDbServer> {
  const server = await startDynamoDb(dataDir === undefined ? {} : { dataDir })
  started.push(server)
  return server
}
afterEach(() => Promise.all(started.splice(0).map((server) => server.close())))

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    (response) => response.ok,
    () => false,
  )

async function isGone(endpoint: string): Promise<boolean> {
  for (let round = 0; round < 40; round += 1) {
    if (!(await answers(endpoint))) return true
    await sleep(50)
  }
  return false
}

function portOf(server: Server): number {
  return z.object({ port: z.number() }).parse(server.address()).port
}

/** Starts DynamoDB in a process of its own, which finds commands in `PATH` and then runs `afterwards`. */
async function startInChild(afterwards: string, PATH = process.env.PATH) {
  const module = new URL('../../../infra/local/dynamodb/startDynamoDb.ts', import.meta.url).href
  const script = `const { startDynamoDb } = await import('${module}')
    console.log((await startDynamoDb()).endpoint); ${afterwards}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH },
  })
  const [endpoint] = await once(createInterface(child.stdout), 'line')
  return { child, endpoint: String(endpoint) }
}

const diesWithParent = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0

describe('startDynamoDb', () => {
  it('serves from its start until close has returned, which may be called twice', async () => {
    const server = await start()
    expect(await answers(server.endpoint)).toBe(true)
    await server.close()
    expect(await answers(server.endpoint)).toBe(false)
    await server.close()
  })

  it('starts several at once, each on a port of its own and with its own tables', async () => {
    const servers = await Promise.all(Array.from({ length: 8 }, () => start()))
    expect(new Set(servers.map((server) => server.endpoint)).size).toBe(8)
    const [first, second] = servers.map((server) => createClient(server.endpoint))
    if (first === undefined || second === undefined) throw new Error('no servers')
    await createTables(first, tables)
    expect((await first.send(new ListTablesCommand())).TableNames).toEqual([
      'accounts',
      'audit-log',
      'billing',
      'events',
    ])
    expect((await second.send(new ListTablesCommand())).TableNames).toEqual([])
    first.destroy()
    second.destroy()
  })

  it('takes another port where a connection of another program has the one that it chose', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const connection = connect(portOf(listener), '127.0.0.1')
    await once(connection, 'connect')
    const { localPort } = connection
    const ports = [localPort, undefined]
    try {
      const server = await startDynamoDb({ choosePort: async () => ports.shift() ?? freePort() })
      started.push(server)
      expect(ports).toEqual([])
      expect(new URL(server.endpoint).port).not.toBe(String(localPort))
      expect(await answers(server.endpoint)).toBe(true)
    } finally {
      connection.destroy()
      listener.close()
    }
  })

  it('keeps tables and items in dataDir over a restart', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'dynamodb-'))
    const dataDir = join(parent, 'not-there-yet')
    const Key = { pk: { S: 'a' }, sk: { S: 'b' } }
    const first = await start(dataDir)
    const before = createClient(first.endpoint)
    await createTables(before, tables)
    await before.send(new PutItemCommand({ TableName: 'accounts', Item: { ...Key, kept: { BOOL: true } } }))
    before.destroy()
    await first.close()

    const second = await start(dataDir)
    const after = createClient(second.endpoint)
    await createTables(after, tables)
    const { Item } = await after.send(new GetItemCommand({ TableName: 'accounts', Key }))
    after.destroy()
    await rm(parent, { recursive: true })
    expect(Item?.kept).toEqual({ BOOL: true })
  })

  it('ends with the process that started it, also on a system without setpriv', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'bin-'))
    await symlink('/bin/sh', join(bin, 'sh'))
    const { child, endpoint } = await startInChild('process.exit(0)', bin)
    if (child.exitCode === null) await once(child, 'exit')
    await rm(bin, { recursive: true })
    expect(await isGone(endpoint)).toBe(true)
  })

  const onLinux = diesWithParent ? it : it.skip
  onLinux('ends when that process is killed', async () => {
    const { child, endpoint } = await startInChild('')
    expect(await answers(endpoint)).toBe(true)
    child.kill('SIGKILL')
    expect(await isGone(endpoint)).toBe(true)
  })
})
