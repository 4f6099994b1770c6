import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pRetry from 'p-retry'

/** A running DynamoDB emulator. */
export interface DynamoDbServer {
  /** `http://127.0.0.1:PORT`, the `endpoint` of an SDK client. */
  readonly endpoint: string
  /** Resolves when the process ends by itself. Never resolves after `close`. */
  readonly died: Promise<Error>
  /** Ends the process and waits for its exit. */
  close(): Promise<void>
}

interface DynamoDbOptions {
  readonly dataDir?: string
  /** Items to start with, in memory: a folder with a DynamoDB export, and the file that describes its tables. */
  readonly imported?: { readonly source: string; readonly schema: string }
  /** Called again if the port is taken. Defaults to a free port. */
  readonly choosePort?: () => Promise<number>
}

class PortTakenError extends Error {}

/** Long enough even when many stacks start at once on a small machine. */
const READY_TIMEOUT_MS = 30_000

/** Importing a million organizations takes minutes. */
const IMPORT_TIMEOUT_MS = 900_000

/** Replaces the shell with the binary. If `setpriv` exists, the kernel ends it with its parent, even when the parent is killed. */
const EXEC = `setpriv --pdeathsig TERM true 2>/dev/null && exec setpriv --pdeathsig TERM "$0" "$@"; exec "$0" "$@"`

const { resolve: resolvePackage } = createRequire(import.meta.url)

/**
 * The path of the DynamoDB emulator, an optional dependency: npm installs it only if it is built for the platform.
 * @throws Error that names the alternatives if it is not installed
 */
export function findDynamoDbBinary(platform = `${process.platform}-${process.arch}`): string {
  const name = `@dynoxide/${platform}`
  try {
    const binary = join(dirname(resolvePackage(`${name}/package.json`)), 'dynoxide')
    if (existsSync(binary)) return binary
  } catch {
    // Not installed: throws below, like an installation without the file.
  }
  throw new Error(
    `No local DynamoDB for ${platform} (${name} is not installed): run \`npx dynoxide --port 8000\` or DynamoDB Local in Docker ` +
      '(`docker run --rm -p 8000:8000 amazon/dynamodb-local`) and set AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000',
  )
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
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

/** Returns the last lines that a process printed, for the message about its end. */
function lastLines(child: ChildProcess, onLine: (line: string) => void): () => string {
  const lines: string[] = []
  if (child.stderr !== null)
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (lines.length > 20) lines.shift()
      onLine(line)
    })
  return () => lines.join('\n')
}

/** Resolves when the process prints that it listens. Rejects if it ends first or prints nothing in time. */
function listening(child: ChildProcess, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`DynamoDB did not start within ${timeout / 1000} s`)), timeout)
    child.once('error', reject)
    const printed = lastLines(child, (line) => {
      if (!line.includes('listening on')) return
      clearTimeout(timer)
      resolve()
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const message = `DynamoDB ended with ${signal ?? code}: ${printed()}`
      // "already in use" if another process listens on the port, "Address in use" if a connection uses it.
      reject(/\bin use\b/i.test(message) ? new PortTakenError(message) : new Error(message))
    })
  })
}

/**
 * Starts DynamoDB on a free port of 127.0.0.1, in memory, or with `dataDir` in a file that survives between runs. The process
 * ends with `close`, or when this process ends.
 * @throws Error if there is no binary for this platform
 */
export async function startDynamoDb({
  dataDir,
  imported,
  choosePort = freePort,
}: DynamoDbOptions = {}): Promise<DynamoDbServer> {
  const binary = findDynamoDbBinary()
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  const storage = dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')]
  const { source, schema } = imported ?? {}
  const filled = source && schema ? ['import', '--serve', '--source', source, '--schema', schema] : []

  async function start(): Promise<DynamoDbServer> {
    // Not port 0: the binary does not report its port.
    const port = await choosePort()
    const child = spawn('sh', ['-c', EXEC, binary, ...filled, '--port', `${port}`, ...storage], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const kill = () => child.kill('SIGTERM')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    try {
      await listening(child, imported ? IMPORT_TIMEOUT_MS : READY_TIMEOUT_MS)
    } catch (error) {
      await stop(child)
      throw error
    }
    let closing = false
    const died = new Promise<Error>((resolve) => {
      child.once('exit', (code, signal) => {
        if (!closing) resolve(new Error(`DynamoDB at 127.0.0.1:${port} ended with ${signal ?? `exit code ${code}`}`))
      })
    })
    return {
      endpoint: `http://127.0.0.1:${port}`,
      died,
      close() {
        closing = true
        return stop(child)
      },
    }
  }

  return pRetry(start, {
    retries: 9,
    minTimeout: 10,
    maxTimeout: 200,
    shouldRetry: ({ error }) => error instanceof PortTakenError,
  })
}
