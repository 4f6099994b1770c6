import { describe, expect, it } from '@jest/globals'
import { bundleContents, unitOf } from '../../../infra/bench/bundleContents.ts'
import { dependencyTree } from '../../../infra/bench/dependencyTree.ts'

/** A file in esbuild's metafile: its imports, resolved. */
const input = (...paths: string[]) => ({
  bytes: 1,
  imports: paths.map((path) => ({ path, kind: 'import-statement' as const })),
})

const entryPoint = 'functions/buy/handler.ts'
const metafile = {
  inputs: {
    [entryPoint]: input('lib/shop/buy.ts', 'node_modules/zod/index.js'),
    'lib/shop/buy.ts': input('lib/shop/price.ts', 'node_modules/@aws-sdk/core/a.js', 'node_modules/zod/index.js'),
    'lib/shop/price.ts': input('builtin:fs', 'node_modules/unused/index.js'),
    'node_modules/@aws-sdk/core/a.js': input('node_modules/@aws-sdk/core/node_modules/uuid/x.js'),
    'node_modules/@aws-sdk/core/node_modules/uuid/x.js': input(entryPoint),
    'node_modules/zod/index.js': input('node_modules/zod/core.js'),
    'node_modules/zod/core.js': input(),
    'node_modules/unused/index.js': input(),
    'builtin:fs': input(),
  },
  outputs: {
    '../tmp/buy/handler.mjs': {
      bytes: 20_000,
      entryPoint,
      exports: [],
      imports: [{ path: 'node:tls', kind: 'import-statement' as const, external: true }],
      inputs: {
        [entryPoint]: { bytesInOutput: 1000 },
        'lib/shop/buy.ts': { bytesInOutput: 1500 },
        'lib/shop/price.ts': { bytesInOutput: 500 },
        'node_modules/@aws-sdk/core/a.js': { bytesInOutput: 3000 },
        'node_modules/@aws-sdk/core/node_modules/uuid/x.js': { bytesInOutput: 4000 },
        'node_modules/zod/index.js': { bytesInOutput: 0 },
        'node_modules/zod/core.js': { bytesInOutput: 10_000 },
        'node_modules/unused/index.js': { bytesInOutput: 0 },
      },
    },
  },
}

describe('The dependency tree of a bundle', () => {
  it('puts each package below the nearest that imports it, the heaviest first, and leaves out what has no part in it', () => {
    expect(dependencyTree(bundleContents(metafile, 'buy'), metafile).split('\n')).toEqual([
      'functions/buy 20.0 KB (1.0 KB itself)',
      '  zod 10.0 KB',
      '  lib/shop 9.0 KB (2.0 KB itself)',
      '    @aws-sdk/core 7.0 KB (3.0 KB itself)',
      '      uuid 4.0 KB',
    ])
  })
})

describe('The contents of a bundle', () => {
  it('name its files, and what it imports when it runs', () => {
    const { bytes, files, imports } = bundleContents(metafile, 'buy')
    expect({ bytes, imports }).toEqual({ bytes: 20_000, imports: ['node:tls'] })
    expect(files.get('node_modules/zod/core.js')).toBe(10_000)
    expect(files.has('node_modules/zod/index.js')).toBe(false)
  })

  it('are not those of another function', () => {
    expect(() => bundleContents(metafile, 'uy')).toThrow('No function is called uy')
  })
})

describe('A file', () => {
  it.each([
    ['node_modules/stripe/esm/Error.js', 'stripe'],
    ['node_modules/@aws-sdk/client-kms/dist-es/index.js', '@aws-sdk/client-kms'],
    ['node_modules/@middy/core/node_modules/@middy/util/index.js', '@middy/util'],
    ['lib/adapters/kms/kmsClient.ts', 'lib/adapters/kms'],
  ])('%s is part of %s', (file, unit) => {
    expect(unitOf(file)).toBe(unit)
  })
})
