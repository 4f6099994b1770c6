import { describe, expect, it } from '@jest/globals'
import { isDryRun } from '../../../infra/operate/command.ts'

describe('npm run operate', () => {
  it.each([
    { aws: true, 'dry-run': false, apply: false, dry: true },
    { aws: true, 'dry-run': true, apply: false, dry: true },
    { aws: true, 'dry-run': false, apply: true, dry: false },
    { aws: false, 'dry-run': false, apply: false, dry: false },
    { aws: false, 'dry-run': true, apply: false, dry: true },
    { aws: false, 'dry-run': false, apply: true, dry: false },
  ])('changes what is on AWS only with --apply: %j', ({ dry, ...options }) => {
    expect(isDryRun(options)).toBe(dry)
  })

  it.each([true, false])('refuses --dry-run with --apply (--aws: %s)', (aws) => {
    expect(() => isDryRun({ aws, 'dry-run': true, apply: true })).toThrow('not both')
  })
})
