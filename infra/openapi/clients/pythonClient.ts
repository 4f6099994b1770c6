import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check } from './check.ts'
import { differences, writePatterns } from './patterns.ts'
import { fetched, run } from './run.ts'

const program = fileURLToPath(new URL('../../../test/clients/openapi-python-client/', import.meta.url))

const version = '0.29.1'

/** Also compiles every pattern with Python’s `re`. */
export const openapiPythonClient: Check = {
  name: 'openapi-python-client',
  version,
  async run({ directory, document, documentFile, purchase }) {
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
    const patterns = await writePatterns(document, directory)
    const found = await run(at('python'), ['patterns.py', patterns], inDirectory)
    const wrong = differences(JSON.parse(await readFile(patterns, 'utf8')), JSON.parse(found))
    if (wrong.length > 0) throw new Error(`Python reads differently: ${wrong.join(', ')}`)
    return 'generated, typed, bought; every pattern read alike by re'
  },
}
