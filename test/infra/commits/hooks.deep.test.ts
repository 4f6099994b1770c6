import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { subjectFaults } from '../../../infra/commits/subjectFaults.ts'
import { openSampleRepository, type SampleRepository } from './sampleRepository.ts'

let repository: SampleRepository

beforeEach(() => {
  repository = openSampleRepository()
  repository.write('lib/source.txt', 'first')
  repository.write('lib/generated.txt', 'FIRST')
  repository.commit('Begin', '.')
  repository.useHooks()
})

afterEach(() => repository?.close())

describe('The hooks of `npm run hooks`', () => {
  it.each([
    [
      'commit that changes a source without what is generated from it',
      'lib/source.txt',
      'Change the source',
      'not current: lib/generated.txt',
    ],
    ['subject that does not fit', 'README.md', 'Change one thing and another', 'two things'],
  ])('refuse a %s', (_, path, subject, why) => {
    repository.write(path, 'second')
    const { code, output } = repository.commit(subject, path)
    expect(code).toBe(1)
    expect(output).toContain(why)
    expect(repository.git('log', '-1', '--format=%s').output.trim()).toBe('Begin')
  })

  it('look at what is staged, not at the folder', () => {
    repository.write('lib/source.txt', 'second')
    repository.write('lib/generated.txt', 'SECOND')
    expect(repository.commit('Change the source', 'lib/source.txt').code).toBe(1)
    repository.git('add', 'lib/generated.txt')
    repository.write('lib/generated.txt', 'not staged')
    expect(repository.git('commit', '--message', 'Change the source').code).toBe(0)
    expect(repository.git('worktree', 'list').output.trim().split('\n')).toHaveLength(1)
  })

  it('run no generator when nothing is staged that one reads', () => {
    repository.write('generate.js', 'throw new Error()')
    repository.write('README.md', 'A sentence.')
    expect(repository.commit('Say more', 'README.md', 'generate.js').code).toBe(0)
  })

  it('can be left out', () => {
    repository.write('lib/source.txt', 'second')
    repository.git('add', 'lib')
    expect(repository.git('commit', '--no-verify', '--message', 'One and two').code).toBe(0)
  })
})

describe('A subject', () => {
  it('fits with 72 characters, and not with 73', () => {
    expect(subjectFaults('x'.repeat(72))).toEqual([])
    expect(subjectFaults('x'.repeat(73))).toEqual([expect.stringContaining('73')])
  })

  it('says one thing: “and” is refused as a word, not as a part of one', () => {
    expect(subjectFaults('Add a hook and remove another')).toHaveLength(1)
    expect(subjectFaults('Expand the brand of a candidate')).toEqual([])
  })

  it.each(['Merge branch and branch', `Revert "${'x'.repeat(72)}"`, `fixup! ${'x'.repeat(72)}`])(
    'is not looked at if git wrote it: %s',
    (subject) => {
      expect(subjectFaults(subject)).toEqual([])
    },
  )
})
