import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'

/**
 * Holds a text against the committed file of that name under `golden/`. `GOLDEN=write` writes the file instead: its difference is then
 * what a reviewer has to agree with.
 */
export function expectGolden(name: string, text: string): void {
  const file = join(import.meta.dirname, 'golden', name)
  if (process.env.GOLDEN === 'write') writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
