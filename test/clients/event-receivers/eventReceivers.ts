import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalInfo } from '../../../infra/local/info.ts'
import { fetched, run } from '../../../infra/openapi/clients/run.ts'

const versions = { go: 'v0.0.1', python: '1.1.0' } as const
const libraries = 'github.com/standard-webhooks/standard-webhooks/libraries'

async function inFolder<Made>(make: (folder: string) => Promise<Made>): Promise<Made & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'event-receivers-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await make(folder)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** A backend in Go that keeps a copy of entitlements. */
export interface GoBackend {
  readonly url: string
  close(): Promise<void>
}

/**
 * Builds and starts the backend, a service client of the stack.
 * @throws Unavailable if this machine has no Go, or no way to the library
 */
export async function startGoBackend({ base_url, demo }: LocalInfo): Promise<GoBackend> {
  const built = await inFolder(async (folder) => {
    const options = { cwd: folder, env: { GOFLAGS: '-mod=mod' } }
    await run('go', ['version'], options)
    await cp(join(import.meta.dirname, 'main.go'), join(folder, 'main.go'))
    await fetched(async () => {
      await run('go', ['mod', 'init', 'receiver'], options)
      await run('go', ['get', `${libraries}@${versions.go}`], options)
    })
    await run('go', ['vet', '.'], options)
    await run('go', ['build', '-o', 'receiver', '.'], options)
    return { program: join(folder, 'receiver') }
  })
  const { service_client_id: CLIENT_ID, service_client_secret: CLIENT_SECRET } = demo
  const env = { ...process.env, BASE: base_url, CLIENT_ID, CLIENT_SECRET }
  const child = spawn(built.program, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  return {
    url: String(printed).trim(),
    async close() {
      await stop(child)
      await built.close()
    },
  }
}

/** What Python's library says of events: the type of each, or why it is refused. */
export interface PythonReceiver {
  verify(event: object): Promise<string>
  close(): Promise<void>
}

/** @throws Unavailable if this machine has no Python, or no way to the library */
export async function startPythonReceiver(secret: string): Promise<PythonReceiver> {
  const installed = await inFolder(async (folder) => {
    await run('python3', ['--version'], { cwd: folder })
    await fetched(async () => {
      await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
      const wanted = `standardwebhooks==${versions.python}`
      await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', wanted], { cwd: folder })
    })
    return { python: join(folder, 'venv/bin/python') }
  })
  const child = spawn(installed.python, ['-B', join(import.meta.dirname, 'receiver.py')], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return {
    async verify(event) {
      const answered = once(child.stdout, 'data')
      child.stdin.write(`${JSON.stringify(event)}\n`)
      const [line] = await answered
      return String(line).trim()
    },
    async close() {
      await stop(child)
      await installed.close()
    },
  }
}
