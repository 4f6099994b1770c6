import { fileURLToPath } from 'node:url'
import type { Check, CheckContext } from './check.ts'
import { fetched, run } from './run.ts'

/** Any warning fails; what is switched off is explained in the rules. */
export const redocly: Check = {
  name: '@redocly/cli',
  version: '2.77.0',
  async run(context) {
    const rules = fileURLToPath(new URL('redocly.yaml', import.meta.url))
    await npx(context, '@redocly/cli@2.77.0', [
      ...['redocly', 'lint', context.documentFile, '--config', rules, '--format', 'stylish', '--max-problems', '1000'],
    ])
    return 'no error, no warning'
  },
}

export const spectral: Check = {
  name: '@stoplight/spectral-cli',
  version: '6.16.3',
  async run(context) {
    const rules = fileURLToPath(new URL('spectral.yaml', import.meta.url))
    await npx(context, '@stoplight/spectral-cli@6.16.3', [
      ...['spectral', 'lint', context.documentFile, '--ruleset', rules, '--fail-severity', 'hint'],
    ])
    return 'no error, no warning'
  },
}

async function npx({ directory }: CheckContext, name: string, [command = '', ...args]: readonly string[]) {
  const npx = (...command: string[]) => run('npx', ['--yes', '--package', name, '--', ...command], options)
  const options = { cwd: directory, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } }
  await fetched(() => npx(command, '--version'))
  const said = await npx(command, ...args)
  if (/\bwarnings?\b/i.test(said.replace(/\b(?:0|no) warnings?\b/gi, ''))) throw new Error(said)
}
