import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check } from './check.ts'
import { checkPatterns } from './patterns.ts'
import { fetched, run } from './run.ts'

const program = fileURLToPath(new URL('../../../test/clients/openapi-python-client/', import.meta.url))

const version = '0.29.1'

/** Also compiles every pattern with Python’s `re`. */
export const openapiPythonClient: Check = {
  name: 'openapi-python-client',
  version,
  async run(context) {
    const { directory, documentFile, purchase } = context
    const at = (command: string) => join(directory, 'venv/bin', command)
    const inDirectory = { cwd: directory }
    await cp(program, directory, { recursive: true })
    await run('python3', ['--version'], inDirectory)
    await fetched(async () => {
      await run('python3', ['-m', 'venv', 'venv'], inDirectory)
      await run(at('pip'), ['install', '--quiet', `openapi-python-client==${version}`, 'mypy==1.18.2'], inDirectory)
    })
    // Formatting is no concern of a check.
    await writeFile(join(directory, 'config.json'), JSON.stringify({ post_hooks: [] }))
    const output = ['--output-path', 'console_client', '--meta', 'none', '--config', 'config.json', '--fail-on-warning']
    await run(at('openapi-python-client'), ['generate', '--path', documentFile, ...output], inDirectory)
    await run(at('mypy'), ['--strict', 'purchase.py'], inDirectory)
    await run(at('python'), ['purchase.py'], { ...inDirectory, env: await purchase(directory) })
    await checkPatterns(context, 'Python', (file) => run(at('python'), ['patterns.py', file], inDirectory))
    return 'generated, typed, bought; every pattern read alike by re'
  },
}
