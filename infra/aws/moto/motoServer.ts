import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../listenOnLoopback.ts'

const START_MS = 60_000

interface MotoServer {
  readonly url: string
  readonly close: () => void
}

/**
 * Starts moto's server on a free port of this machine.
 * @param programs the folder of `moto_server`
 * @param log the file for its output
 * @throws Error if it does not answer within a minute
 */
export async function startMoto(programs: string, log: string): Promise<MotoServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const output = openSync(log, 'w')
  const stdio = ['ignore', output, output] as const
  const server = spawn(join(programs, 'moto_server'), ['-H', '127.0.0.1', '-p', `${port}`], { stdio: [...stdio] })
  const close = () => void server.kill()
  for (let waited = 0; waited < START_MS; waited += 250) {
    const isUp = await fetch(`${url}/moto-api/data.json`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { url, close }
    await pause(250)
  }
  close()
  throw new Error('moto does not answer')
}
