import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate', 'providers')
const folder = mkdtempSync(join(tmpdir(), 'provider-'))
afterAll(() => rmSync(folder, { recursive: true }))
const secretFile = join(folder, 'secret')
writeFileSync(secretFile, 'secret of the service\n')

const added = (issuer: string) => [
  ...['add', 'acme', '--name', 'Acme', '--issuer', issuer, '--client-id', 'service'],
  ...['--client-secret-file', secretFile],
]

describe('npm run operate -- providers', () => {
  it('adds a provider whose metadata is found, and removes it', async () => {
    const issuer = `${bed.stack.client.info.base_url}/_local/provider`
    const dry = await operate(...added(issuer), '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would be added') })
    expect((await operate('list')).output).not.toContain('acme')
    expect(await operate(...added(issuer))).toMatchObject({ code: 0, output: expect.stringContaining('was added') })
    const { output } = await operate('list')
    expect(output).toContain(`acme  Acme  ${issuer}  service  counts as one factor`)
    expect(output).not.toContain('secret of the service')
    expect((await operate('remove', 'acme')).output).toContain('was removed')
    expect(await operate('remove', 'acme')).toMatchObject({
      code: 2,
      output: expect.stringContaining('no such provider'),
    })
  })

  it('refuses an issuer without metadata of its own, and a call without its options', async () => {
    const refused = await operate(...added(bed.stack.client.info.base_url.replace('localhost', '127.0.0.1')))
    expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('metadata is not found') })
    expect(await operate('add', 'acme')).toMatchObject({ code: 1, output: expect.stringContaining('providers list') })
    expect(await operate('add', 'No')).toMatchObject({ code: 1, output: expect.stringContaining('lower-case') })
  })
})
