import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'

it('The README is under 120 lines', () => {
  expect(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').split('\n').length).toBeLessThan(120)
})
