import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

const root = new URL('../../', import.meta.url).pathname

const declaration = /^export (?:async )?(?:function|const|let|class|interface|type) (\w+)/gm

describe('A name that lib exports', () => {
  it('has one meaning: no other file of lib exports it', () => {
    const files = new Map<string, Set<string>>()
    for (const file of globSync('lib/**/*.ts', { cwd: root })) {
      for (const [, name = ''] of readFileSync(`${root}${file}`, 'utf8').matchAll(declaration)) {
        files.set(name, (files.get(name) ?? new Set()).add(file))
      }
    }
    const shared = [...files].filter(([, exporting]) => exporting.size > 1).map(([name]) => name)
    expect(shared.sort()).toEqual([])
  })
})
