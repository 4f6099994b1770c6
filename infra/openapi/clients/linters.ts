import { fileURLToPath } from 'node:url'
import type { Check } from './check.ts'
import { fetched, run } from './run.ts'

const rules = (file: string) => fileURLToPath(new URL(file, import.meta.url))

export const redocly = linter('@redocly/cli', '2.77.0', 'redocly', [
  ...['--config', rules('redocly.yaml'), '--format', 'stylish', '--max-problems', '1000'],
])
export const spectral = linter('@stoplight/spectral-cli', '6.16.3', 'spectral', [
  ...['--ruleset', rules('spectral.yaml'), '--fail-severity', 'hint'],
])

/** Any warning fails; what is switched off is explained in the rules. */
function linter(name: string, version: string, command: string, options: readonly string[]): Check {
  return {
    name,
    version,
    async run({ directory, documentFile }) {
      const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
      const npx = (...args: string[]) =>
        run('npx', ['--yes', '--package', `${name}@${version}`, '--', command, ...args], { cwd: directory, env })
      await fetched(() => npx('--version'))
      const said = await npx('lint', documentFile, ...options)
      if (/\bwarnings?\b/i.test(said.replace(/\b(?:0|no) warnings?\b/gi, ''))) throw new Error(said)
      return 'no error, no warning'
    },
  }
}
