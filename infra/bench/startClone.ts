import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Without npm's own variables: if they were set, npm in the clone would use this folder. */
export const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS)/.test(name)),
)

/** `npm start` in a clone of this repository, in a process group of its own, on a free port. */
export async function startClone(cwd: string): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd,
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  while (!printed.includes('Ready in')) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}: ${printed}`)
    await Promise.race([once(child.stdout, 'data'), closed])
  }
  const [baseUrl = ''] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(printed) ?? []
  return {
    baseUrl,
    async stop() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await closed
    },
  }
}
