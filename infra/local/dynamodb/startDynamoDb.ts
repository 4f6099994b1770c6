import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pRetry from 'p-retry'
import { findDynamoDbBinary } from './findDynamoDbBinary.ts'

/** A running DynamoDB emulator. */
export interface DynamoDbServer {
  /** `http://127.0.0.1:PORT`, the `endpoint` of an SDK client. */
  readonly endpoint: string
  /** Ends the process and waits for its exit. */
  close(): Promise<void>
}

class PortTakenError extends Error {}

const READY_TIMEOUT_MS = 10_000

/** Replaces the shell with the binary. Where `setpriv` exists, the kernel ends it with its parent, also when the parent is killed. */
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

/** Resolves when the process prints that it listens. Rejects when it ends first, or prints nothing for 10 s. */
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
 * Starts DynamoDB on a free port of 127.0.0.1, in memory, or in a file inside `dataDir` that is kept between runs. The process
 * ends with `close`, and with this one.
 * @throws Error when there is no binary for this platform
 */
export async function startDynamoDb(options: { dataDir?: string } = {}): Promise<DynamoDbServer> {
  const binary = findDynamoDbBinary()
  const { dataDir } = options
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  const storage = dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')]

  async function start(): Promise<DynamoDbServer> {
    // Not port 0: the binary does not report the port it was given.
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
