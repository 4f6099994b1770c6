import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../../infra/listenOnLoopback.ts'
import { signWebhook } from '../../../lib/adapters/webhooks/webhookSigner.ts'
import { programIn, root } from './quickStarts.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const newer = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const lines: string[] = []
let url = ''
let stop = async () => {}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'receiver.mjs'), programIn('js', 'Receive events'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) }
  const program = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface(program.stdout).on('line', (line) => lines.push(line))
  stop = async () => {
    program.kill()
    await rm(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await answers()); tries += 1) {
    if (tries > 200) throw new Error('The receiver does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
afterAll(() => stop())

async function answers(): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

/** Sends an event as the service does. */
async function send(event: object, { secrets = [secret], change = '' } = {}): Promise<number> {
  const body = JSON.stringify(event)
  const at = Date.now()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signWebhook({ id: 'evt_1', at: Math.floor(at / 1000) * 1000, body }, secrets),
  }
  return (await fetch(url, { method: 'POST', headers, body: body + change })).status
}

const changed = (sequence: number, active: boolean) => ({
  ...{ type: 'entitlement.changed', organization_id: 'acme', sequence },
  data: { product: 'ota', active },
})

describe('The guide’s receiver of events', () => {
  it('keeps the latest state of an entitlement, whatever comes twice or late, also during a rotation', async () => {
    expect(await send(changed(1, true))).toBe(204)
    expect(await send(changed(3, false), { secrets: [newer, secret] })).toBe(204)
    for (const again of [changed(3, false), changed(2, true)]) expect(await send(again)).toBe(204)
    expect(await send({ type: 'something.new', organization_id: 'acme', sequence: 4, data: {} })).toBe(204)
    expect(lines).toEqual(['acme ota active', 'acme ota not active'])
  })

  it('refuses what is not signed with its secret', async () => {
    expect(await send(changed(9, true), { secrets: [newer] })).toBe(400)
    expect(await send(changed(9, true), { change: ' ' })).toBe(400)
    expect(lines).toHaveLength(2)
  })
})
