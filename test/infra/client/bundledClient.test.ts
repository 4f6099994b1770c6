import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { bundleClient } from '../../../infra/client/build/buildPackage.ts'

// The deep tests install the package, compile with its types and buy.
it('The bundled client imports nothing and names the licenses of what it took in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  try {
    const notices = await bundleClient(folder)
    for (const name of ['oauth4webapi', 'jose', 'p-retry', 'is-network-error']) expect(notices).toContain(`${name}\n\n`)
    const code = await readFile(join(folder, 'index.js'), 'utf8')
    expect(code).toContain('createApiClient')
    expect(code).not.toMatch(/^import\b|\bimport\(|\brequire\(/m)
  } finally {
    await rm(folder, { recursive: true })
  }
})
