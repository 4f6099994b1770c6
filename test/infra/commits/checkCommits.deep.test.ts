import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSampleRepository, type SampleRepository } from './sampleRepository.ts'

let repository: SampleRepository

/** The package of the workspace follows the source in each commit. */
function writeSource(text: string): void {
  repository.write('lib/source.txt', text)
  repository.write('own/index.js', `export const own = ${JSON.stringify(text)}`)
}

beforeAll(() => {
  repository = openSampleRepository()
  writeSource('first')
  repository.write('lib/generated.txt', 'FIRST')
  repository.commit('Begin', '.')
  writeSource('second')
  repository.commit('Change the source alone', '.')
  repository.write('lib/generated.txt', 'SECOND')
  repository.commit('Generate anew', '.')
  writeSource('broken')
  repository.write('lib/generated.txt', 'BROKEN')
  repository.commit('Break the types', '.')
})

afterAll(() => repository?.close())

describe('npm run check:commits', () => {
  it('names each commit that fails, with the type error or the files that are not current', () => {
    const { code, output } = repository.check()
    expect(code).toBe(1)
    expect(output).toMatch(/^ok {3}[0-9a-f]+ Begin$/m)
    expect(output).toMatch(/^FAIL [0-9a-f]+ Change the source alone\n {7}not current: lib\/generated\.txt$/m)
    expect(output).toMatch(/^ok {3}[0-9a-f]+ Generate anew$/m)
    expect(output).toMatch(/^FAIL [0-9a-f]+ Break the types\n {7}npm run types fails:$/m)
    expect(output).toContain('not assignable: broken')
    expect(output).toMatch(/2 of 4 commits pass\n$/)
  })

  it('checks the commits of a range', () => {
    const { code, output } = repository.check('HEAD~2..HEAD~1')
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^ok {3}[0-9a-f]+ Generate anew\n1 of 1 commits pass\n$/),
    })
  })

  it('checks as many of the last commits as a number says', () => {
    expect(repository.check('2').output).toMatch(/1 of 2 commits pass\n$/)
  })

  it('checks what origin/main does not have, if there is such a branch', () => {
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1')
    expect(repository.check().output).toMatch(/0 of 1 commits pass\n$/)
    repository.git('update-ref', '-d', 'refs/remotes/origin/main')
  })

  it('leaves no worktree behind, and no change in the folder', () => {
    expect(repository.git('worktree', 'list').output.trim().split('\n')).toHaveLength(1)
    expect(repository.git('status', '--porcelain').output).toBe('')
  })

  it('exits with 1 and the reason when git does not know the range', () => {
    const { code, output } = repository.check('nothing..HEAD')
    expect(code).toBe(1)
    expect(output).toContain('nothing..HEAD')
  })
})
