import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NameServer, startNameServer } from '../../../infra/local/dns/nameServer.ts'
import { createTxtResolver } from '../../../lib/adapters/dns/txtResolver.ts'
import type { LookUpTxt } from '../../../lib/organizations/domains/ports.ts'
import { createFakeDns } from '../../organizations/domains/fakeDns.ts'

interface Bed {
  readonly lookUpTxt: LookUpTxt
  set(name: string, played: { values: readonly string[]; fails: boolean }): void
}

const fake = createFakeDns()
let server: NameServer

beforeAll(async () => {
  server = await startNameServer()
})
afterAll(() => server.close())

const beds: Record<string, () => Bed> = {
  'of the name servers': () => ({
    lookUpTxt: createTxtResolver({ servers: [server.address] }),
    set: server.records.set,
  }),
  'of the fake': () => fake,
}

describe.each(Object.entries(beds))('TXT records %s', (_, bedOf) => {
  // [catch txtResolver.createTxtResolver]
  it('are the values of a name in any case, none of an unknown name, and no answer if its servers fail', async () => {
    const { lookUpTxt, set } = bedOf()
    const long = 'x'.repeat(300)
    set('_domain-proof.example.com', { values: ['v=spf1 -all', long], fails: false })
    set('broken.example.com', { values: ['x'], fails: true })
    const all = { kind: 'answered', values: ['v=spf1 -all', long] }
    expect(await lookUpTxt('_domain-proof.example.com')).toEqual(all)
    expect(await lookUpTxt('_Domain-Proof.EXAMPLE.com')).toEqual(all)
    expect(await lookUpTxt('example.com')).toEqual({ kind: 'answered', values: [] })
    expect(await lookUpTxt('broken.example.com')).toEqual({ kind: 'no_answer' })
    set('_domain-proof.example.com', { values: [], fails: false })
    expect(await lookUpTxt('_domain-proof.example.com')).toEqual({ kind: 'answered', values: [] })
  })
})

describe('A name server that does not answer', () => {
  // [threat 93.12]
  it('is not waited for longer than the budget', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const lookUpTxt = createTxtResolver({ servers: [`127.0.0.1:${silent.address().port}`], budget: 50 })
    const begun = performance.now()
    expect(await lookUpTxt('example.com')).toEqual({ kind: 'no_answer' })
    expect(performance.now() - begun).toBeLessThan(1400)
    silent.close()
  })
})
