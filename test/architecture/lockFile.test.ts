import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')

describe('The lock file', () => {
  const packages = Object.entries(lockSchema.parse(JSON.parse(text)).packages)
  const paths = new Set(packages.map(([path]) => path))

  it('locks every platform’s optional packages, without which `npm ci` refuses it where one cannot be looked up', () => {
    const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !paths.has(`node_modules/${name}`) && !paths.has(`${path}/node_modules/${name}`),
      ),
    )
    expect(missing).toEqual([])
  })

  it('has the address of every package, without which `npm ci` asks the registry for the package’s list of versions too', () => {
    const fetched = packages.filter(([, { integrity }]) => integrity !== undefined)
    expect(fetched.length).toBeGreaterThan(100)
    const elsewhere = fetched.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/'))
    expect(elsewhere.map(([path]) => path)).toEqual([])
  })
})
