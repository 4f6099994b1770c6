import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'

const bed = useBillingStack()

const at = (path: string) => `${bed.stack.client.info.base_url}${path}`
const post = (body: unknown) => fetch(at('/_local/dns'), { method: 'POST', body: JSON.stringify(body) })
const form = (fields: Record<string, string>) =>
  fetch(at('/_local/dns'), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const records = async () => (await fetch(at('/_local/dns.json'))).json()
const resolve = async (name: string) => {
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([bed.stack.client.info.dns.server])
  return resolver.resolveTxt(name)
}

describe('The DNS records of the local stack', () => {
  it('are set, replaced and removed, as JSON and on the page', async () => {
    const name = '_domain-proof.example.com'
    const answer = await post({ name: `${name.toUpperCase()}.`, type: 'TXT', values: ['one', 'x'.repeat(300)] })
    expect(answer.status).toBe(200)
    expect(await resolve(name)).toEqual([['one'], ['x'.repeat(255), 'x'.repeat(45)]])
    expect(await records()).toEqual({ records: [{ name, type: 'TXT', values: ['one', 'x'.repeat(300)] }] })
    const saved = await form({ name, values: 'two <b>\r\n three \n' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/_local/dns'])
    expect(await resolve(name)).toEqual([['two <b>'], ['three']])
    const page = await (await fetch(at('/_local/dns'))).text()
    expect(page).toContain('<code>two &lt;b&gt;</code>')
    expect((await form({ name })).status).toBe(303)
    await expect(resolve(name)).rejects.toThrow('ENOTFOUND')
    expect(await records()).toEqual({ records: [] })
  })

  it('fail if told to, and know no addresses', async () => {
    await post({ name: 'broken.example', type: 'TXT', values: [], rcode: 'SERVFAIL' })
    await expect(resolve('broken.example')).rejects.toThrow('ESERVFAIL')
    await post({ name: 'example.com', type: 'TXT', values: ['x'] })
    const resolver = new Resolver({ timeout: 1000, tries: 1 })
    resolver.setServers([bed.stack.client.info.dns.server])
    await expect(resolver.resolve4('example.com')).rejects.toThrow('ENODATA')
  })

  it.each([
    { name: 'a.example', type: 'A', values: ['127.0.0.1'] },
    { name: '', type: 'TXT', values: [] },
    { name: 'a.example', type: 'TXT', values: ['x'.repeat(901)] },
    { name: 'a.example', type: 'TXT' },
    'text',
  ])('are not %j', async (body) => {
    expect((await post(body)).status).toBe(422)
  })
})
