import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pRetry from 'p-retry'
import { findDynamoDbBinary } from './findDynamoDbBinary.ts'

/** A running stand-in for DynamoDB. */
export interface DynamoDbServer {
  /** `http://127.0.0.1:PORT`, to be given to an SDK as its endpoint. */
  readonly endpoint: string
  /** Ends the process and waits until it is gone. */
  close(): Promise<void>
}

class PortTakenError extends Error {}

const READY_TIMEOUT_MS = 10_000

/** Becomes the binary; where the system can, it dies with its parent even when that one is killed. */
const EXEC = `setpriv --pdeathsig TERM true 2>/dev/null && exec setpriv --pdeathsig TERM "$0" "$@"; exec "$0" "$@"`

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('No free port on 127.0.0.1')
  return address.port
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Resolves when the process says that it listens. Rejects when it ends before, or says nothing for 10 s. */
function listening(child: ChildProcess): Promise<void> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('DynamoDB did not start within 10 s')), READY_TIMEOUT_MS)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      const message = `DynamoDB ended with ${code}: ${said.join('\n')}`
      reject(message.includes('already in use') ? new PortTakenError(message) : new Error(message))
    })
    if (child.stderr === null) return reject(new Error('DynamoDB has no stderr to listen to'))
    createInterface(child.stderr).on('line', (line) => {
      if (said.length < 20) said.push(line)
      if (!line.includes('listening on')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Starts DynamoDB on a free port of 127.0.0.1, in memory, or in a file inside `dataDir` that survives a restart. The process
 * ends with `close` and never outlives this one. Rejects when there is no binary for this platform.
 */
export async function startDynamoDb(options: { dataDir?: string } = {}): Promise<DynamoDbServer> {
  const binary = findDynamoDbBinary()
  const { dataDir } = options
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  const storage = dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')]

  async function start(): Promise<DynamoDbServer> {
    // Port 0 would be of no use: the binary does not report which port it got.
    const port = await freePort()
    const child = spawn('sh', ['-c', EXEC, binary, '--port', `${port}`, ...storage], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const kill = () => child.kill('SIGTERM')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    try {
      await listening(child)
    } catch (error) {
      await stop(child)
      throw error
    }
    return { endpoint: `http://127.0.0.1:${port}`, close: () => stop(child) }
  }

  return pRetry(start, { retries: 4, minTimeout: 10, shouldRetry: ({ error }) => error instanceof PortTakenError })
}
