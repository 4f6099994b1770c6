import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { bundleConsole } from '../../../../infra/console/bundle/bundleConsole.ts'

describe('npm run build:console', () => {
  it.each([
    ['OverviewPage', 'en'],
    ['OverviewPage', 'de'],
    ['ProductsPage', 'en'],
    ['ProductsPage', 'de'],
  ])('downloads less than 120 KB of script for %s as the first page in %s', async (page, language) => {
    const { files } = await bundleConsole('/')
    const code = new Map(files.map(({ path, contents }) => [path, contents]))
    const begin = ['main', language, page].map((name) => files.find(isNamed(name))?.path ?? name)
    const read = new Set(begin)
    for (const path of read) for (const next of importsOf(code.get(path))) read.add(next)
    const sizes = [...read].map((path) => gzipSync(code.get(path) ?? '').length)
    expect(read.size).toBeGreaterThan(begin.length)
    expect(sizes.reduce((sum, size) => sum + size) / 1024).toBeLessThan(120)
  })
})

function isNamed(name: string) {
  return ({ path }: { readonly path: string }) => path.startsWith(`assets/${name}-`) && path.endsWith('.js')
}

/** The files that a script of the bundle imports at once. */
function importsOf(script: Uint8Array | undefined): string[] {
  const text = Buffer.from(script ?? []).toString()
  return [...text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map(([, name]) => `assets/${name}`)
}
