import { describe, expect, it } from '@jest/globals'
import { changeOptions } from '../../../infra/operate/command.ts'
import { refuseNpmOptions } from '../../../infra/refuseNpmOptions.ts'

describe('A program that npm runs', () => {
  it.each([
    ['npm_config_dry_run', '--dry-run'],
    ['npm_config_adopt_only', '--adopt-only'],
    ['npm_config_apply', '--apply'],
  ])('stops if npm kept an option for itself: %s', (variable, option) => {
    const refuse = (value: string) => () => refuseNpmOptions('npm run operate', changeOptions, { [variable]: value })
    expect(refuse('true')).toThrow(
      `npm kept ${option} for itself: write it after --, as in npm run operate -- ${option}`,
    )
    expect(refuse('')).not.toThrow()
  })

  it('repeats the value of an option', () => {
    expect(() => refuseNpmOptions('npm start', ['port'], { npm_config_port: '4302' })).toThrow(
      'npm kept --port 4302 for itself: write it after --, as in npm start -- --port 4302',
    )
  })
})
