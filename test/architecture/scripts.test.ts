import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'

const manifest = z.object({ scripts: z.record(z.string(), z.string()) })
const scripts = ['package.json', 'infra/emulators/stripe/package.json'].flatMap((path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  return Object.entries(manifest.parse(JSON.parse(text)).scripts)
})

/** A program of the PATH with plain arguments. cmd.exe knows no path with `/` as a program, no quotes of one kind, no `$NAME` and no `NAME=value`. */
const plainCommand = /^(git|node|npm|tsc|biome)( [\w@:.,/=-]+)+$|^tsc$/

/** A script that `sh` and cmd.exe run alike: plain commands, each after the one before has succeeded. */
const isPlain = (script: string) => script.split(' && ').every((command) => plainCommand.test(command))

describe('The npm scripts', () => {
  it.each(scripts)('%s runs in cmd.exe too', (_, script) => {
    expect(isPlain(script)).toBe(true)
  })

  it.each([
    'exec node start.ts',
    'NODE_OPTIONS=--experimental-vm-modules jest',
    'cd node_modules && rm -rf node',
    'infra/client/node_modules/.bin/tsc --noEmit',
    "node -e 'process.exit()'",
    'node $HOME/start.ts',
    'node start.ts; node stop.ts',
    'node start.ts &',
  ])('would fail this test with %s', (script) => {
    expect(isPlain(script)).toBe(false)
  })
})
