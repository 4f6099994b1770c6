import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { startXrayDaemon, type XrayDaemon } from '../../../infra/emulators/xray/startXrayDaemon.ts'

const hexadecimal = (digits: number) => randomBytes(digits / 2).toString('hex')

/** A tracing header as Lambda sets it, and the ids in it. */
export function newTrace(sampled: '0' | '1' = '1') {
  const traceId = `1-${Math.floor(Date.now() / 1000).toString(16)}-${hexadecimal(24)}`
  const parentId = hexadecimal(16)
  return {
    traceId,
    parentId,
    header: `Root=${traceId};Parent=${parentId};Sampled=${sampled};Lineage=1:${hexadecimal(8)}:0`,
  }
}

/** A daemon for the tests of one file, empty before each. */
export function useDaemon(): () => XrayDaemon {
  let daemon: XrayDaemon | undefined
  beforeAll(async () => {
    daemon = await startXrayDaemon()
  })
  beforeEach(() => daemon?.reset())
  afterAll(() => daemon?.close())
  return () => {
    if (!daemon) throw new Error('The daemon is started before the tests')
    return daemon
  }
}

/** Waits for what was sent before: a datagram arrives without an answer. Resolves to nothing less than what arrived in 50 ms. */
export async function arrived(daemon: XrayDaemon, count: number): Promise<XrayDaemon> {
  const end = Date.now() + 2000
  while (daemon.datagrams().length < count && Date.now() < end) await delay(5)
  await delay(count === 0 ? 50 : 5)
  return daemon
}
