import { afterAll, describe, expect, it } from '@jest/globals'
import { openSourceTree } from '../support/sourceTree.ts'

const tree = openSourceTree(new URL('../../', import.meta.url).pathname)
afterAll(() => tree.close())

const declaration = /^export (?:async )?(?:function|const|let|class|interface|type) (\w+)/gm

describe('A name that lib exports', () => {
  it('has one meaning: no other file of lib exports it', () => {
    const files = new Map<string, Set<string>>()
    for (const file of tree.files.filter((name) => name.startsWith('lib/'))) {
      for (const [, name = ''] of tree.sourceOf(file).text.matchAll(declaration)) {
        files.set(name, (files.get(name) ?? new Set()).add(file))
      }
    }
    const shared = [...files].filter(([, exporting]) => exporting.size > 1).map(([name]) => name)
    expect(shared.sort()).toEqual([])
  })
})
