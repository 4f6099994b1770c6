import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type LocalInfo, localInfo } from '../../../infra/local/info.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** `npm start` without npm: a process of its own. */
export interface ChildStack {
  /** All that it printed so far. */
  output(): string
  /** Waits until it is ready. Rejects when it ends before. */
  ready(): Promise<LocalInfo>
  /** Sends the signal and waits for the end. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; milliseconds: number }>
  exited: Promise<number | null>
}

/** Runs `infra/local/<script>`; with `shell`, as the child of a shell, which is the one that gets the signals. */
export function spawnScript(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
  parent: 'shell' | 'none' = 'none',
): ChildStack {
  const command = [process.execPath, `infra/local/${script}`, ...args]
  const [file = '', ...rest] = parent === 'shell' ? ['sh', '-c', `${command.join(' ')}; exit $?`] : command
  const child = spawn(file, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const keep = (chunk: Buffer) => {
    printed += chunk.toString('utf8')
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  return {
    output: () => printed,
    exited,
    async ready() {
      while (!printed.includes('Ready in')) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${printed}`)
        await Promise.race([once(child.stdout, 'data'), exited])
      }
      const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? []
      return localInfo.parse(await (await fetch(`${baseUrl}/_local/info`)).json())
    },
    async stop(signal = 'SIGTERM') {
      const started = performance.now()
      child.kill(signal)
      return { code: await exited, milliseconds: performance.now() - started }
    },
  }
}

/** Whether something listens there; any answer counts. */
export async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

/** Everything of a stack that listens. */
export function addressesOf(info: LocalInfo): string[] {
  const { base_url, webhook_url, dynamodb_endpoint, kms_endpoint, mail, stripe } = info
  return [base_url, webhook_url, dynamodb_endpoint, kms_endpoint, mail.endpoint, stripe.api_base]
}
