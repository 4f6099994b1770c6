import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve as absolute } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { freePort } from '../../listenOnLoopback.ts'
import { type DynamoDbProgram, dynamoDbPrograms, type ServeOptions } from './dynamoDbPrograms.ts'

/** A running DynamoDB emulator. */
export interface DynamoDbServer {
  /** `http://127.0.0.1:PORT`, the `endpoint` of an SDK client. */
  readonly endpoint: string
  /** Resolves when the process ends by itself. Never resolves after `close`. */
  readonly died: Promise<Error>
  /** Ends the process and waits for its exit. */
  close(): Promise<void>
}

interface DynamoDbOptions extends Pick<ServeOptions, 'dataDir' | 'imported'> {
  /** Called again if the port is taken. Defaults to a free port. */
  readonly choosePort?: () => Promise<number>
  /** As npm names platforms; this machine's by default. */
  readonly platform?: string
  /** Of the program; this process's by default. */
  readonly env?: NodeJS.ProcessEnv
}

class PortTakenError extends Error {}

/** Importing a million organizations takes minutes. */
const IMPORT_TIMEOUT_MS = 900_000

/** Replaces the shell with the binary. If `setpriv` exists, the kernel ends it with its parent, even when the parent is killed. */
const EXEC = `setpriv --pdeathsig TERM true 2>/dev/null && exec setpriv --pdeathsig TERM "$0" "$@"; exec "$0" "$@"`

const onWindows = process.platform === 'win32'

/** Starts the program so that it ends when this process ends. */
function run(program: DynamoDbProgram, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const { command, hasChildren } = program
  const options: SpawnOptions = {
    env: { ...env, ...program.env },
    // Not the project's folder, whose packages and settings npx would use.
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
  }
  // On Windows npx is a script, which only a shell runs.
  if (onWindows) return spawn(command, args.map(quoted), { ...options, shell: hasChildren })
  return spawn('sh', ['-c', EXEC, command, ...args], { ...options, detached: hasChildren })
}

const quoted = (arg: string) => (arg.includes(' ') ? `"${arg}"` : arg)

/** Asks the process to end, with its children if it has any. */
function terminate(child: ChildProcess, { hasChildren }: DynamoDbProgram): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (!hasChildren) child.kill('SIGTERM')
  else if (onWindows) spawnSync('taskkill', ['/pid', `${child.pid}`, '/t', '/f'])
  else process.kill(-child.pid, 'SIGTERM')
}

async function stop(child: ChildProcess, program: DynamoDbProgram): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  // Not `exit`: children of the process may still listen then.
  const closed = once(child, 'close')
  terminate(child, program)
  await closed
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

interface Started {
  readonly child: ChildProcess
  readonly endpoint: string
  readonly readyLine: string | undefined
  readonly timeoutMs: number
}

/** Resolves when the process listens. Rejects if it ends first or does not listen in time. */
function listening({ child, endpoint, readyLine, timeoutMs }: Started): Promise<void> {
  const ended = new AbortController()
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`DynamoDB did not start within ${timeoutMs / 1000} s`)), timeoutMs)
    ended.signal.addEventListener('abort', () => clearTimeout(timer))
    child.once('error', reject)
    const printed = lastLines(child, (line) => {
      if (readyLine !== undefined && line.includes(readyLine)) resolve()
    })
    child.once('close', (code, signal) => {
      const message = `DynamoDB ended with ${signal ?? code}: ${printed()}`
      // "already in use" if another process listens on the port, "Address in use" if a connection uses it; the last is Docker's.
      reject(/\b(in use|already allocated)\b/i.test(message) ? new PortTakenError(message) : new Error(message))
    })
    if (readyLine === undefined) answers(endpoint, ended.signal).then(resolve, reject)
  }).finally(() => ended.abort())
}

/** Resolves when a server answers, or when `signal` says that the caller has stopped waiting. */
async function answers(endpoint: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isAnswered = await fetch(endpoint, { signal }).then(
      () => true,
      () => false,
    )
    if (isAnswered) return
    await sleep(100)
  }
}

/**
 * Starts DynamoDB on a free port of 127.0.0.1, in memory, or with `dataDir` in a folder that survives between runs. The process
 * ends with `close`, or when this process ends.
 * @throws Error with a reason for each program that did not start
 */
export async function startDynamoDb({
  platform = `${process.platform}-${process.arch}`,
  env = process.env,
  choosePort = freePort,
  dataDir,
  imported,
}: DynamoDbOptions = {}): Promise<DynamoDbServer> {
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  const what = { dataDir: dataDir && absolute(dataDir), imported }
  const programs = dynamoDbPrograms(platform, env)
  const failures: string[] = []
  for (const program of programs) {
    try {
      return await startProgram(program, { ...what, choosePort, env })
    } catch (error) {
      if (programs.length === 1) throw error
      failures.push(`${program.name}: ${firstLine(error)}`)
    }
  }
  throw new Error(
    `No DynamoDB for ${platform}, for which npm has installed none. ${failures.join('; ')}. Set DYNAMODB_LOCAL_DIR to a folder ` +
      'with DynamoDB Local (it needs Java), start Docker, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB that is running',
  )
}

/** The reason without what follows in the program's output, and without a full stop. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1).join('').replace(/[.?]$/, '')
}

function startProgram(
  program: DynamoDbProgram,
  { choosePort, env, ...what }: Required<Pick<DynamoDbOptions, 'choosePort' | 'env'>> & Omit<ServeOptions, 'port'>,
): Promise<DynamoDbServer> {
  async function start(): Promise<DynamoDbServer> {
    // Not port 0: no program reports its port.
    const port = await choosePort()
    const endpoint = `http://127.0.0.1:${port}`
    const child = run(program, program.argumentsFor({ ...what, port }), env)
    const kill = () => terminate(child, program)
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const timeoutMs = what.imported ? IMPORT_TIMEOUT_MS : program.startMs
    try {
      await listening({ child, endpoint, readyLine: program.readyLine, timeoutMs })
    } catch (error) {
      await stop(child, program)
      throw error
    }
    let closing = false
    const died = new Promise<Error>((resolve) => {
      child.once('exit', (code, signal) => {
        if (!closing) resolve(new Error(`DynamoDB at 127.0.0.1:${port} ended with ${signal ?? `exit code ${code}`}`))
      })
    })
    return {
      endpoint,
      died,
      close() {
        closing = true
        return stop(child, program)
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
