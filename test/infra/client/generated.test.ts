import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { generate, generatedFiles } from '../../../infra/client/build/generate.ts'

const committed = new URL('../../../infra/client/src/', import.meta.url).pathname

it('The client’s types and table are those of the OpenAPI document: `npm run client` writes them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  try {
    await generate(folder)
    for (const name of generatedFiles) {
      const [now, then] = await Promise.all([folder, committed].map((one) => readFile(join(one, name), 'utf8')))
      expect(now === then ? 'up to date' : `${name} is out of date`).toBe('up to date')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
