import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Check } from './check.ts'
import { checkPatterns } from './patterns.ts'
import { fetched, run } from './run.ts'

const program = fileURLToPath(new URL('../../../test/clients/oapi-codegen/', import.meta.url))

const version = 'v2.8.2'
const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`
const modules = ['github.com/google/uuid@v1.6.0', 'github.com/oapi-codegen/runtime@v1.8.0'] as const

/** Also compiles every pattern with RE2. */
export const oapiCodegen: Check = {
  name: 'oapi-codegen',
  version,
  async run(context) {
    const { directory, documentFile, purchase } = context
    const env = { GOFLAGS: '-mod=mod', GOBIN: join(directory, 'bin') }
    const go = (...args: string[]) => run('go', args, { cwd: directory, env })
    await cp(program, directory, { recursive: true })
    await go('version')
    await fetched(async () => {
      await go('mod', 'init', 'purchase')
      await go('install', generator)
      await go('get', ...modules)
    })
    await mkdir(join(directory, 'api'))
    // Without pruning: the details of the audit log's actions are named by conditions alone, which it does not follow.
    const output = ['-package', 'api', '-generate', 'types,client,skip-prune', '-o', 'api/api.go']
    const said = await run(join(directory, 'bin/oapi-codegen'), [...output, documentFile], { cwd: directory, env })
    if (said.trim() !== '') throw new Error(said)
    await fetched(() => go('mod', 'tidy'))
    await go('vet', './...')
    await run('go', ['run', '.'], { cwd: directory, env: { ...env, ...(await purchase(directory)) } })
    await checkPatterns(context, 'RE2', (file) => go('run', './patterns', file))
    return 'generated, vetted, bought; every pattern read alike by RE2'
  },
}
