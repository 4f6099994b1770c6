import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { transformSync } from 'esbuild'
import { couponGuards, slotGuards } from '../model/guards.ts'
import { guardMutants } from './guardMutants.ts'
import { mutate } from './mutate.ts'

const root = new URL('../../', import.meta.url)
const fromRoot = (path: string) => new URL(path, root)

describe('The list of guards that are taken away from the code', () => {
  it('names every guard of the model', () => {
    expect(new Set(guardMutants.map(({ guard }) => guard))).toEqual(new Set([...slotGuards, ...couponGuards]))
  })

  it('names every mutant once, in words that can be typed', () => {
    const names = guardMutants.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
  })

  it.each(guardMutants)('finds the code of $name exactly once, and changes it into code', ({ edits }) => {
    expect(edits).not.toEqual([])
    for (const edit of edits) {
      const source = readFileSync(fromRoot(edit.file), 'utf8')
      const mutated = mutate(source, edit)
      expect(mutated).not.toBe(source)
      expect(() => transformSync(mutated, { loader: 'ts' })).not.toThrow()
    }
  })

  it.each(guardMutants)('says which test files catch $name', ({ caughtBy }) => {
    expect(caughtBy).not.toEqual([])
    expect(caughtBy.filter((file) => !existsSync(fromRoot(file)))).toEqual([])
  })
})

describe('An edit', () => {
  const edit = { file: 'x.ts', original: 'a', replacement: '$&$1' }

  it('takes its replacement as it stands', () => {
    expect(mutate('bab', edit)).toBe('b$&$1b')
  })

  it.each(['b', 'aba'])('is refused where its original is not found exactly once: %s', (source) => {
    expect(() => mutate(source, edit)).toThrow('instead of once')
  })
})
