import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type LocalInfo, localInfo } from '../../../../infra/local/info.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A script of `infra/` in a child process. */
export interface ChildStack {
  readonly pid: number
  /** Seconds of the processor that it has used so far; 0 where the system has no `/proc`. */
  cpuSeconds(): number
  /** Everything printed so far, to both streams. */
  output(): string
  /** Waits until the stack is ready. Rejects when the process ends first. */
  ready(): Promise<LocalInfo>
  /** Sends the signal and waits for the exit. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): Promise<{ code: number | null; milliseconds: number }>
  exited: Promise<number | null>
}

/** Runs `infra/<script>` of the project at `cwd`; with `shell`, as the child of a shell, which then receives the signals. */
export function spawnScript(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
  parent: 'shell' | 'none' = 'none',
  cwd = root,
): ChildStack {
  const command = [process.execPath, `infra/${script}`, ...args]
  const [file = '', ...rest] = parent === 'shell' ? ['sh', '-c', `${command.join(' ')}; exit $?`] : command
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, NO_COLOR: '1', ...env },
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
    pid: child.pid ?? 0,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    output: () => printed,
    exited,
    async ready() {
      while (!printed.includes('Ready in')) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${printed}`)
        await Promise.race([once(child.stdout, 'data'), exited])
      }
      const [baseUrl = ''] = /http:\/\/localhost:\d+/.exec(printed) ?? []
      return localInfo.parse(await (await fetch(`${baseUrl}/_local/info`)).json())
    },
    async stop(signal = 'SIGTERM') {
      const started = performance.now()
      child.kill(signal)
      return { code: await exited, milliseconds: performance.now() - started }
    },
  }
}

/** A kernel counts hundredths of a second (proc_pid_stat(5), utime and stime, the 14th and 15th field). */
function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const [user = 0, system = 0] = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

/** Whether a server listens at the URL; any answer counts. */
export async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

/** The addresses of every server of a stack. */
export function addressesOf(info: LocalInfo): string[] {
  const { base_url, webhook_url, dynamodb_endpoint, kms_endpoint, mail, stripe } = info
  return [base_url, webhook_url, dynamodb_endpoint, kms_endpoint, mail.endpoint, stripe.api_base]
}
