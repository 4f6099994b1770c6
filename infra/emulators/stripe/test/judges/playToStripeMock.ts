import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startStripeEmulator } from '../../index.ts'
import { formatForm } from '../../params/form.ts'
import { apiVersion } from '../../wire/wire.ts'
import { fillAccount } from './fillAccount.ts'

/** A port that stripe-mock listens on. */
const port = 12_112

/** What the emulator accepted while an account was filled, sent to `program`, stripe-mock, which checks it by Stripe's file. Returns how it went. */
export async function playToStripeMock(program: string): Promise<string> {
  const emulator = await startStripeEmulator()
  const mock = spawn(program, ['-http-port', `${port}`], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    mock.stdout.setEncoding('utf8')
    for (let said = ''; !said.includes('Listening'); ) said += (await once(mock.stdout, 'data')).join('')
    await fillAccount(emulator)
    const accepted = emulator.control.requests().filter(({ status }) => status !== null && status < 400)
    const rejected: string[] = []
    for (const { method, path, params } of accepted) {
      const form = formatForm(params)
      const inQuery = method === 'GET' && form !== ''
      const response = await fetch(`http://127.0.0.1:${port}${path}${inQuery ? `?${form}` : ''}`, {
        method,
        headers: {
          authorization: `Bearer ${emulator.key}`,
          'content-type': 'application/x-www-form-urlencoded',
          'stripe-version': apiVersion,
        },
        ...(method !== 'GET' && { body: form }),
      })
      if (!response.ok) rejected.push(`${method} ${path}: ${await response.text()}`)
    }
    if (rejected.length > 0) throw new Error(rejected.join('\n'))
    return `accepts ${accepted.length} of ${accepted.length} requests`
  } finally {
    mock.kill()
    await emulator.close()
  }
}
