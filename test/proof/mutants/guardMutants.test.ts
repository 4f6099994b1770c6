import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { transformSync } from 'esbuild'
import { openSourceTree } from '../../support/source/sourceTree.ts'
import { couponGuards, slotGuards, switchGuards } from '../model/guards/guards.ts'
import { companyGuards, deviceGuards, editsOf, eventGuards, factGuards, providerGuards } from './guardMutant.ts'
import { guardMutants } from './guardMutants.ts'
import { type Edit, mutate } from './mutate.ts'

const root = new URL('../../../', import.meta.url)
const fromRoot = (path: string) => new URL(path, root)
const tree = openSourceTree(root.pathname, ['lib'])
afterAll(() => tree.close())

describe('The list of guards that are taken away from the code', () => {
  it('names every guard of the model, of fresh facts, of devices, of events, of providers and of companies', () => {
    const guards = [
      ...slotGuards,
      ...couponGuards,
      ...switchGuards,
      ...factGuards,
      ...deviceGuards,
      ...eventGuards,
      ...providerGuards,
      ...companyGuards,
    ]
    expect(new Set(guardMutants.map(({ guard }) => guard))).toEqual(new Set(guards))
  })

  it('names every mutant once, in words that can be typed', () => {
    const names = guardMutants.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
  })

  it.each(guardMutants)('finds the code of $name exactly once, and changes it into code', (mutant) => {
    for (const edit of editsOf(mutant)) {
      const mutated = mutate(tree, edit)
      expect(mutated).not.toBe(tree.sourceOf(edit.file).text)
      expect(() => transformSync(mutated, { loader: 'ts' })).not.toThrow()
    }
  })

  it.each(guardMutants)('says which test files catch $name', ({ caughtBy }) => {
    expect(caughtBy).not.toEqual([])
    expect(caughtBy.filter((file) => !existsSync(fromRoot(file)))).toEqual([])
  })
})

describe('An edit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  const made = openMade(`export const limit = 7
export function check(n: number): boolean {
  // Two, three.
  if (n > 2 && limit > n) return true
  return n > 3
}
function other() {
  if (limit > 2) return 1
}
`)
  afterAll(() => {
    made.close()
    rmSync(folder, { recursive: true })
  })
  function openMade(text: string) {
    writeFileSync(join(folder, 'x.ts'), text)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { types: [] }, include: ['x.ts'] }))
    return openSourceTree(`${folder}/`)
  }
  const edit: Edit = { file: 'x.ts', within: 'check', kind: 'operation', mentions: ['2'], replacement: '$&$1' }

  it('replaces the innermost place that mentions its words, in its function alone, by just that text', () => {
    expect(mutate(made, edit)).toContain('if ($&$1 && limit > n) return true')
    expect(mutate(made, edit)).toContain('if (limit > 2) return 1')
  })

  it('may keep the code that is there', () => {
    const kept = mutate(made, { ...edit, kind: 'return', mentions: ['3'], replacement: (code) => `${code} + 1` })
    expect(kept).toContain('return n > 3 + 1')
  })

  it.each([
    ['a function that is not there', { within: 'nothing' }],
    ['words that no place has', { mentions: ['4'] }],
    ['words that two places have', { mentions: ['n'] }],
  ])('is refused for %s', (_, change) => {
    expect(() => mutate(made, { ...edit, ...change })).toThrow('instead of once')
  })
})
