import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
})

describe('The lock file', () => {
  it('locks every platform’s optional packages, without which `npm ci` refuses it where one cannot be looked up', () => {
    const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
    const { packages } = lockSchema.parse(JSON.parse(text))
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
  })
})
